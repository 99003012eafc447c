import { plural } from "../../model/plural.ts";
import type { RequirementResult } from "../../model/run.ts";
import { actualText, expectedText } from "../../reports/evidence.ts";
import type { Colour, Paint } from "../../reports/paint.ts";
import { plain } from "../../reports/sanitize.ts";
import { signs } from "../../reports/verdict-symbols.ts";
import type { Change } from "./changes.ts";

/** What changed about a requirement; below a failure, what was expected and what was found. */
export function changeText(change: Change, row: RequirementResult, paint: Paint): string {
  const { sign, colour } = looks[change];
  const [finding] = row.findings;
  const label = (name: string, text: string): string => `${indent}${paint("dim", name.padEnd(9))} ${plain(text, 300)}`;
  const details =
    change === "no verdict"
      ? [label("reason", row.reason ?? "none was recorded")]
      : finding === undefined || change === "fixed"
        ? []
        : [label("expected", expectedText(finding)), label("actual", actualText(finding))];
  const title = `  ${paint(colour, `${sign} ${change.padEnd(15)}`)}${row.id.padEnd(9)} ${plain(row.statement, 200)}`;
  return `${[title, ...details].join("\n")}\n`;
}

const indent = " ".repeat(19);

const looks = {
  fixed: { sign: signs.pass, colour: "green" },
  broken: { sign: signs.fail, colour: "red" },
  "still failing": { sign: signs.fail, colour: "red" },
  "no verdict": { sign: signs.inconclusive, colour: "yellow" },
} as const satisfies Record<Change, { readonly sign: string; readonly colour: Colour }>;

/** `2 fixed, 1 still failing`. */
export function changesText(changes: ReadonlyMap<string, Change>): string {
  const words = (Object.keys(looks) as readonly Change[]).flatMap((change) => {
    const count = [...changes.values()].filter((one) => one === change).length;
    return count === 0 ? [] : [`${count} ${change}`];
  });
  return words.length === 0 ? "Nothing changed and nothing fails" : words.join(", ");
}

/** What the program waits for, and the keys. */
export function keysText(failed: number, files: readonly string[], paint: Paint): string {
  const change = files.length === 0 ? "" : ` or a change in ${files.join(", ")}`;
  const keys = [
    ["f", failed === 0 ? "failed" : plural(failed, "failed requirement")],
    ["a", "all"],
    ["o", "open the report"],
    ["q", "quit"],
  ] as const;
  return `\nWaiting for a restart of the server${change}.\n  ${keys.map(([key, name]) => `${paint("blue", key)} ${name}`).join("   ")}\n`;
}

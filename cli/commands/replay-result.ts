import { actualText, expectedText } from "../../reports/evidence.ts";
import { plain } from "../../reports/sanitize.ts";
import type { Finding, RequirementResult, Run } from "../../model/run.ts";
import { exitCodes } from "../output/exit-code.ts";
import type { Result } from "./run-and-report.ts";

/** What became of a failure. `unreachable`: this run could not judge the requirement. */
type Fate = "fixed" | "still failing" | "changed" | "unreachable";

/** A line for each failure with what became of it, and the exit code: 0 only where all are fixed. */
export function replayResult(failed: readonly RequirementResult[], run: Run): Result {
  const rows = failed.map((before) => rowOf(before, run));
  const count = (fate: Fate): number => rows.filter((row) => row.fate === fate).length;
  const counts = fates.filter((fate) => count(fate) > 0).map((fate) => `${count(fate)} ${fate}`);
  const text = [...rows.map(({ lines }) => lines.join("\n")), "", counts.join(", ")].join("\n");
  return { text: `${text}\n`, code: codeOf(run, count) };
}

const fates = ["fixed", "still failing", "changed", "unreachable"] as const satisfies readonly Fate[];

function codeOf({ outcome }: Run, count: (fate: Fate) => number): number {
  if (outcome === "error") return exitCodes.error;
  if (outcome === "interrupted") return exitCodes.interrupted;
  if (count("still failing") + count("changed") > 0) return exitCodes.fail;
  return count("unreachable") > 0 ? exitCodes.inconclusive : exitCodes.pass;
}

function rowOf(before: RequirementResult, run: Run): { readonly fate: Fate; readonly lines: readonly string[] } {
  const after = run.requirements.find(({ id }) => id === before.id);
  const fate = fateOf(before, after);
  const [finding] = after?.findings ?? [];
  const details =
    fate === "unreachable"
      ? [["reason", after?.reason ?? run.summary] as const]
      : finding === undefined
        ? []
        : ([
            ["finding", finding.message],
            ["expected", expectedText(finding)],
            ["actual", actualText(finding)],
            ["request", finding.curl],
          ] as const);
  const head = `${before.id.padEnd(9)} ${fate.padEnd(13)} ${plain(before.statement)}`;
  return { fate, lines: [head, ...details.map(([label, text]) => `  ${label.padEnd(9)} ${plain(text, 2000)}`)] };
}

function fateOf(before: RequirementResult, after: RequirementResult | undefined): Fate {
  if (after?.verdict === "pass") return "fixed";
  if (after === undefined || after.findings.length === 0) return "unreachable";
  return after.findings.some((finding) => before.findings.some((earlier) => isSame(earlier, finding)))
    ? "still failing"
    : "changed";
}

/** Samples and ids may differ in expected and actual; the class of the cause does not. */
const isSame = (one: Finding, other: Finding): boolean =>
  one.operation === other.operation &&
  (one.cause === undefined || other.cause === undefined
    ? one.message === other.message
    : one.cause.expected === other.cause.expected && one.cause.actual === other.cause.actual);

import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "../../model/files.ts";
import { plural } from "../../model/plural.ts";
import type { KnownFailure, RunOptions } from "../../model/run-options.ts";
import type { Run } from "../../model/run.ts";
import { plain } from "../../reports/sanitize.ts";
import type { Secrets } from "../../reports/saving.ts";
import { shortPath } from "../../settings/command-line.ts";
import { readText } from "../../settings/file.ts";
import type { Io } from "../output/io.ts";
import { packagePlace, replaceFile } from "../output/text-file.ts";

/**
 * Updates the baseline with the failures of a run: new failures are tolerated for 30 days, entries
 * whose requirement passes are removed, and what the run leaves out stays as it is. Returns what to
 * print, and whether the update failed.
 */
export async function baselineUpdate(
  run: Run,
  { baseline, strict }: Pick<RunOptions, "baseline" | "strict">,
  file: string,
  secrets: Secrets | undefined,
  io: Io,
) {
  const name = shortPath(file, io.cwd);
  const quiet = (text: string) => ({ text: `${name} ${text}`, failed: false });
  const failed = (text: string) => ({ text: `fxconform: ${name} ${text}`, failed: true });
  if (!["conformant", "nonconformant", "partial"].includes(run.outcome))
    return quiet("is not updated: this run has no verdict.");
  const passing = new Set(
    run.requirements.filter(({ verdict }) => verdict === "pass").map(({ id }) => id),
  );
  const known = new Set(baseline.map(({ requirement }) => requirement));
  const kept = baseline.filter(({ requirement }) => !passing.has(requirement));
  const removed = baseline.length - kept.length;
  const expires = new Date(io.now().getTime() + lifetime).toISOString().slice(0, 10);
  const added = run.requirements
    .filter(
      ({ id, verdict }) => (verdict === "fail" || (strict && verdict === "warn")) && !known.has(id),
    )
    .map(({ id, statement, findings: [first] }) => ({
      requirement: id,
      reason: plain(first?.message ?? statement, 300),
      expires,
    }));
  const total = plural(kept.length + added.length, "known failure");
  if (removed + added.length === 0) return quiet(`is unchanged: ${total}.`);
  let text: string;
  try {
    text = file.endsWith(".json")
      ? `${JSON.stringify([...kept, ...added], undefined, 2)}\n`
      : await yamlText(file, passing, added);
  } catch (error) {
    return failed(`is not updated: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (secrets !== undefined && secrets.wholeIn(text).size > 0)
    return failed("is not written: a secret was found in it.");
  try {
    replaceFile(file, text);
  } catch (error) {
    return failed(`cannot be written (${codeOf(error)}).`);
  }
  const changes = [
    ...(added.length > 0 ? [`${added.length} added`] : []),
    ...(removed > 0 ? [`${removed} removed`] : []),
  ];
  return quiet(
    `is updated: ${changes.join(", ")}, ${total}. The next run with --baseline ${name} uses it.`,
  );
}

const lifetime = 30 * 86_400_000;

/**
 * Returns the new text of a baseline: with its comments and the new entries, and without the
 * entries of the requirements in `removed`.
 */
async function yamlText(
  file: string,
  removed: ReadonlySet<string>,
  added: readonly KnownFailure[],
): Promise<string> {
  const { isMap, isSeq, parseDocument } = await import("yaml");
  const schema = packagePlace(dirname(file), "dist/settings/baseline.schema.json");
  const head =
    `# yaml-language-server: $schema=${schema}\n` +
    "# Failures that are known and tolerated until the end of the day in expires, in UTC.\n\n[]\n";
  const document = parseDocument(existsSync(file) ? readText(file, "--update-baseline") : head);
  const { contents } = document;
  if (!isSeq(contents)) throw new TypeError("a baseline that was read is not a list");
  contents.items = contents.items.filter(
    (entry) => !isMap(entry) || !removed.has(String(entry.get("requirement")).toUpperCase()),
  );
  for (const entry of added) document.addIn([], document.createNode(entry));
  contents.flow = false;
  return document.toString({ lineWidth: 0 });
}

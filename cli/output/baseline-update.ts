import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { RunOptions } from "../../model/run-options.ts";
import type { KnownFailure } from "../../model/gate.ts";
import { plural } from "../../model/plural.ts";
import type { Run } from "../../model/run.ts";
import { plain } from "../../reports/sanitize.ts";
import { packagePlace, replaceFile } from "./text-file.ts";
import { shortPath } from "../../settings/command-line.ts";
import type { Io } from "./io.ts";
import { codeOf } from "../../model/files.ts";
import { holdsSecret } from "../../engine/secrets.ts";

/** What became of the baseline, in one line. */
interface BaselineUpdate {
  readonly text: string;
  /** Whether the file should have been written and was not. */
  readonly failed: boolean;
}

/**
 * Writes the failures of a full run to the baseline file. Entries that still fail keep their reason and date; entries
 * that pass are removed; a new failure gets the message of its first finding and 30 days.
 */
export async function baselineUpdate(
  run: Run,
  { baseline, strict }: Pick<RunOptions, "baseline" | "strict">,
  file: string,
  secrets: readonly string[],
  io: Io,
): Promise<BaselineUpdate> {
  const name = shortPath(file, io.cwd);
  if (!run.complete || !["conformant", "nonconformant"].includes(run.outcome)) {
    return { text: `${name} is not updated: this was not a full run with a verdict.`, failed: false };
  }
  const passing = new Set(run.requirements.filter(({ verdict }) => verdict === "pass").map(({ id }) => id));
  const known = new Set(baseline.map(({ requirement }) => requirement));
  const removed = baseline.filter(({ requirement }) => passing.has(requirement));
  const added = run.requirements
    .filter(({ id, verdict }) => (verdict === "fail" || (strict && verdict === "warn")) && !known.has(id))
    .map(({ id, statement, findings: [first] }) => ({
      requirement: id,
      reason: plain(first?.message ?? statement, 300),
      expires: new Date(io.now().getTime() + lifetime).toISOString().slice(0, 10),
    }));
  const total = plural(baseline.length - removed.length + added.length, "known failure");
  if (removed.length + added.length === 0) return { text: `${name} is unchanged: ${total}.`, failed: false };
  const kept = baseline.filter(({ requirement }) => !passing.has(requirement));
  const text = file.endsWith(".json")
    ? `${JSON.stringify([...kept, ...added], undefined, 2)}\n`
    : await yamlText(file, new Set(removed.map(({ requirement }) => requirement)), added);
  if (holdsSecret(text, secrets)) {
    return { text: `fxconform: ${name} is not written: a secret was found in it.`, failed: true };
  }
  try {
    replaceFile(file, text);
  } catch (error) {
    return { text: `fxconform: ${name} cannot be written (${codeOf(error)}).`, failed: true };
  }
  const changes = [
    ...(added.length > 0 ? [`${added.length} added`] : []),
    ...(removed.length > 0 ? [`${removed.length} removed`] : []),
  ];
  return {
    text: `${name}: ${changes.join(", ")}, ${total}. The next run with --baseline ${name} uses it.`,
    failed: false,
  };
}

/** Milliseconds for which a new entry holds. */
const lifetime = 30 * 86_400_000;

/** The file with its comments, without the removed entries, and with the new ones. */
async function yamlText(file: string, removed: ReadonlySet<string>, added: readonly KnownFailure[]): Promise<string> {
  const { isMap, isSeq, parseDocument } = await import("yaml");
  const document = parseDocument(existsSync(file) ? readFileSync(file, "utf8") : newFile(dirname(file)));
  const { contents } = document;
  if (!isSeq(contents)) throw new TypeError("a baseline that was read is not a list");
  contents.items = contents.items.filter(
    (entry) => !isMap(entry) || !removed.has(String(entry.get("requirement")).toUpperCase()),
  );
  for (const entry of added) document.addIn([], document.createNode(entry));
  contents.flow = false;
  return document.toString({ lineWidth: 0 });
}

const newFile = (folder: string): string =>
  [
    `# yaml-language-server: $schema=${packagePlace(folder, "dist/settings/baseline.schema.json")}`,
    "# Failures that are known and tolerated until the end of the day in expires, in UTC.",
    "",
    "[]",
    "",
  ].join("\n");

import { existsSync, lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { codeOf, removeLeftovers, temporaryPath } from "../../model/files.ts";
import { readText, shownFile } from "../../settings/file.ts";
import { UsageError, wrong } from "../../settings/problem.ts";
import type { Io } from "./io.ts";
import type { RunOptions, KnownFailure } from "../../model/run-options.ts";
import { plural } from "../../model/plural.ts";
import type { Run } from "../../model/run.ts";
import { plain } from "../../reports/sanitize.ts";
import { shortPath } from "../../settings/command-line.ts";
import type { Secrets } from "../../reports/secrets.ts";

/**
 * Writes a text to standard output or to a file. Throws `UsageError` if the file exists and
 * `replace` is false, if it is a link, or if it cannot be written.
 */
export function writeText(text: string, file: string | undefined, replace: boolean, io: Io): void {
  if (file === undefined) return io.stdout(text);
  const path = resolve(io.cwd, file);
  const where = shownFile(file, io.cwd);
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isSymbolicLink() === true)
      throw wrong(where, "is a link", "Name the file itself, or another one.");
    if (found !== undefined && !replace)
      throw wrong(where, "exists already", "Name another file, or add --force.");
    if (found === undefined || found.isFile()) replaceFile(path, text);
    else writeFileSync(path, text);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw wrong(where, `cannot be written (${codeOf(error)})`, "Check the path.");
  }
  io.stderr(`Written: ${path}\n`);
}

/**
 * Returns the path to a file of this package, for use in a file that stands in `folder`: relative
 * to `folder` in a checkout, and otherwise below `./node_modules/fxconform`.
 */
export function packagePlace(folder: string, name: string): string {
  const path = relative(
    folder,
    fileURLToPath(new URL(`../../../${name}`, import.meta.url)),
  ).replaceAll("\\", "/");
  // pnpm installs behind a link, in a folder whose name contains the version. Such a path would not
  // outlast an update.
  return path.startsWith("..") || path.includes("node_modules/")
    ? `./node_modules/fxconform/${name}`
    : `./${path}`;
}

/**
 * Writes a file whole or not at all: writes a temporary file, and renames it. Throws errors of the
 * system.
 */
export function replaceFile(path: string, text: string, mode?: number): void {
  removeLeftovers(dirname(path));
  const temporary = temporaryPath(dirname(path), basename(path));
  try {
    writeFileSync(temporary, text, { mode });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Updates the baseline with the failures of a run: new failures are tolerated for 30 days, entries
 * whose requirement passes are removed, and what the run leaves out stays as it is. Returns what to print, and whether the update
 * failed.
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

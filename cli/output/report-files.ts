import { randomBytes } from "node:crypto";
import {
  accessSync,
  appendFileSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Renderer } from "../../reports/index.ts";
import { formatVersion, type Run } from "../../model/run.ts";
import { UsageError, type Problem } from "../configuration/problem.ts";
import { secretsIn, withoutSecrets } from "./secrets.ts";

/** Which reports go where. */
export interface ReportPlan {
  readonly folder: string;
  readonly renderers: readonly Renderer[];
  /** Known secrets: what holds one of them is not written. */
  readonly secrets: readonly string[];
}

/** What became of the reports. */
export interface Written {
  /** Names of the files that were written, in the order of the plan. */
  readonly files: readonly string[];
  /** Names of the files that were not written because a secret was found in them. */
  readonly refused: readonly string[];
  /** What could not be made, by an error of ours. Its message names the file. */
  readonly broken: readonly Error[];
}

/** The reports could not be written. The message says which, why, and what became of earlier ones. */
export class WriteError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "WriteError";
  }
}

/** How files are written: a test brings a disk that is full. */
export const disk = { write: writeFileSync as (path: string, text: string) => void };

/**
 * What keeps reports from being written to a folder, as far as one can tell without writing; an earlier report.json of
 * another format, which would be lost, too.
 */
export function reportFolderProblems(folder: string, where: string, writesJson: boolean): readonly Problem[] {
  try {
    const [nearest] = withParents(folder).filter((path) => existsSync(path));
    if (nearest !== undefined && !statSync(nearest).isDirectory())
      throw Object.assign(new Error(), { code: "ENOTDIR" });
    if (nearest !== undefined) accessSync(nearest, constants.W_OK | constants.X_OK);
  } catch (error) {
    return [notWritable(folder, where, error)];
  }
  const earlier = join(folder, "report.json");
  if (!writesJson || !isFile(earlier) || isOurs(earlier)) return [];
  const advice = `Move it away, or ${elsewhere(where)}`;
  return [{ where, what: `holds a report.json that is of another format and would be lost`, found: folder, advice }];
}

/** Makes the folder and sees that the reports can be written to it, before anything is sent. Throws `UsageError`. */
export function prepareReportFolder(folder: string, where: string, renderers: readonly Renderer[]): void {
  const files = renderers.map(({ file }) => file);
  const problems = reportFolderProblems(folder, where, files.includes("report.json"));
  if (problems.length > 0) throw new UsageError(problems);
  const inWay = files.filter((file) => isFolder(join(folder, file)));
  if (inWay.length > 0) {
    const what = `holds a folder named ${inWay.join(" and one named ")}, where a report should go`;
    throw new UsageError([{ where, what, found: folder, advice: `Move it away, or ${elsewhere(where)}` }]);
  }
  try {
    makeFolder(folder);
    const probe = temporaryPath(folder, "probe");
    writeFileSync(probe, "");
    rmSync(probe);
    removeLeftovers(folder);
  } catch (error) {
    throw new UsageError([notWritable(folder, where, error)]);
  }
}

/**
 * Writes every report whole or not at all: all go to temporary files first and are renamed once the last one is
 * there. One that we cannot make costs the others nothing. Throws `WriteError`, which says what became of earlier reports.
 */
export function writeReports(run: Run, { folder, renderers, secrets }: ReportPlan): Written {
  const refused: string[] = [];
  const broken: Error[] = [];
  const written: { readonly file: string; readonly temporary: string }[] = [];
  const replaced: string[] = [];
  let inWay: string | undefined;
  try {
    makeFolder(folder);
    for (const { file, render } of jsonFirst(renderers)) {
      const text = textOrError(file, () => render(run));
      if (text instanceof Error) {
        broken.push(text);
        continue;
      }
      if (secretsIn(text, secrets).length > 0) {
        refused.push(file);
        continue;
      }
      const temporary = temporaryPath(folder, file);
      written.push({ file, temporary });
      disk.write(temporary, text);
    }
    for (const { file, temporary } of written) {
      inWay = file;
      renameSync(temporary, join(folder, file));
      replaced.push(file);
    }
  } catch (error) {
    for (const { temporary } of written) rmSync(temporary, { force: true });
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    const place = inWay === undefined ? folder : join(folder, inWay);
    const reason = codeOf(error) === "ENOSPC" ? "no space is left on the disk (ENOSPC)" : codeOf(error);
    const rest =
      replaced.length === 0
        ? "Earlier reports there are untouched."
        : `Of this run are ${replaced.join(", ")}; the others are as they were.`;
    throw new WriteError(`The reports could not be written to ${place}: ${reason}. ${rest}`);
  }
  return { files: written.map(({ file }) => file), refused, broken };
}

/** The others can be made again from it. */
const jsonFirst = (renderers: readonly Renderer[]): readonly Renderer[] =>
  renderers.toSorted((a, b) => Number(b.file === "report.json") - Number(a.file === "report.json"));

const textOrError = (file: string, render: () => string): string | Error => {
  try {
    return render();
  } catch (cause) {
    return new Error(`${file} could not be made: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
};

/**
 * Appends the summary to the page of a GitHub Actions step, where GITHUB_STEP_SUMMARY names one. Gives what went wrong:
 * a page that cannot be written costs no verdict.
 */
export function appendStepSummary(
  path: string | undefined,
  render: () => string,
  secrets: readonly string[],
): string | undefined {
  if (path === undefined || path === "") return undefined;
  const text = textOrError("The summary for GITHUB_STEP_SUMMARY", render);
  if (text instanceof Error) return `${withoutSecrets(text.message, secrets)}.`;
  if (secretsIn(text, secrets).length > 0) return undefined;
  try {
    appendFileSync(path, text.endsWith("\n") ? text : `${text}\n`);
    return undefined;
  } catch (error) {
    return `GITHUB_STEP_SUMMARY names a file that cannot be written to (${codeOf(error)}).`;
  }
}

const temporaryPath = (folder: string, name: string): string =>
  join(folder, `.${name}.${randomBytes(6).toString("hex")}.tmp`);

/** What runs left that were killed; younger ones may belong to a run that is writing now. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!/^\..+\.[0-9a-f]{12}\.tmp$/.test(name)) continue;
    const path = join(folder, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > 600_000) rmSync(path, { force: true });
  }
}

/** Makes a folder and those above it. Node's own way never ends where a folder such as /proc takes none. */
function makeFolder(folder: string): void {
  const missing = withParents(folder).filter((path) => !existsSync(path));
  for (const path of missing.toReversed()) {
    try {
      mkdirSync(path);
    } catch (error) {
      // Another run may have made it just now.
      if (!isFolder(path)) throw error;
    }
  }
  if (!isFolder(folder)) throw Object.assign(new Error(`${folder} is no folder`), { code: "ENOTDIR" });
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** The folder and those above it, up to the root. */
const withParents = (folder: string): readonly string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...withParents(dirname(folder))];

const notWritable = (folder: string, where: string, error: unknown): Problem => ({
  where,
  what: `is not a folder that can be written to (${codeOf(error)})`,
  found: folder,
  advice: `Move what is in the way, or ${elsewhere(where)}`,
});

const elsewhere = (where: string): string =>
  `choose another folder by ${where.startsWith("--") ? where : "--report-dir"}.`;

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

function isOurs(path: string): boolean {
  try {
    return (
      (JSON.parse(readFileSync(path, "utf8")) as { readonly formatVersion?: unknown }).formatVersion === formatVersion
    );
  } catch {
    return false;
  }
}

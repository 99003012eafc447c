import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Renderer } from "../reports/index.ts";
import type { Run } from "../reports/run.ts";
import { UsageError } from "./problem.ts";
import { secretsIn } from "./secrets.ts";

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
 * Makes the folder and sees that it can be written to, before anything is sent. Throws `UsageError`, also where an
 * earlier report of another format would be lost.
 */
export function prepareReportFolder(folder: string, where: string, writesJson: boolean): void {
  try {
    mkdirSync(folder, { recursive: true });
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error(), { code: "ENOTDIR" });
    const probe = temporaryPath(folder, "probe");
    writeFileSync(probe, "");
    rmSync(probe);
    removeLeftovers(folder);
  } catch (error) {
    const what = `is not a folder that can be written to (${codeOf(error)})`;
    throw new UsageError([{ where, what, found: folder, advice: "Choose another by --report-dir." }]);
  }
  const earlier = join(folder, "report.json");
  if (writesJson && existsSync(earlier) && !isOurs(earlier)) {
    const advice = "Move it away or choose another folder by --report-dir.";
    throw new UsageError([
      { where, what: `holds a report.json that is not of format 1 and would be lost`, found: folder, advice },
    ]);
  }
}

/**
 * Writes every report whole or not at all: all go to temporary files first and are renamed once the last one is
 * there. Throws `WriteError`; earlier reports then stand as they were.
 */
export function writeReports(run: Run, { folder, renderers, secrets }: ReportPlan): Written {
  const refused: string[] = [];
  const written: { readonly file: string; readonly temporary: string }[] = [];
  try {
    mkdirSync(folder, { recursive: true });
    for (const { file, render } of renderers) {
      const text = render(run);
      if (secretsIn(text, secrets).length > 0) {
        refused.push(file);
        continue;
      }
      const temporary = temporaryPath(folder, file);
      written.push({ file, temporary });
      disk.write(temporary, text);
    }
    for (const { file, temporary } of written) renameSync(temporary, join(folder, file));
  } catch (error) {
    for (const { temporary } of written) rmSync(temporary, { force: true });
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    const reason = codeOf(error) === "ENOSPC" ? "no space is left on the disk (ENOSPC)" : codeOf(error);
    throw new WriteError(
      `The reports could not be written to ${folder}: ${reason}. Earlier reports there are untouched.`,
    );
  }
  return { files: written.map(({ file }) => file), refused };
}

/**
 * Appends the summary to the page of a GitHub Actions step, where GITHUB_STEP_SUMMARY names one. Gives what went wrong:
 * a page that cannot be written costs no verdict.
 */
export function appendStepSummary(
  path: string | undefined,
  text: string,
  secrets: readonly string[],
): string | undefined {
  if (path === undefined || path === "" || secretsIn(text, secrets).length > 0) return undefined;
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

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

function isOurs(path: string): boolean {
  try {
    return (JSON.parse(readFileSync(path, "utf8")) as { readonly formatVersion?: unknown }).formatVersion === 1;
  } catch {
    return false;
  }
}

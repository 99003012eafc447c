import { appendFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Renderer } from "../../reports/index.ts";
import type { Run } from "../../model/run.ts";
import { reportMishap } from "./error-file.ts";
import type { Io } from "./io.ts";
import { codeOf, makeFolder, temporaryPath } from "./report-folder.ts";
import { reportText, withoutSecrets } from "./secrets.ts";

/** Which reports go where. */
export interface ReportPlan {
  readonly folder: string;
  readonly renderers: readonly Renderer[];
  /** Known secrets: a report that contains one of them is not written. */
  readonly secrets: readonly string[];
}

/** Writes files; a test can replace it with a full disk. */
export const disk = { write: writeFileSync as (path: string, text: string) => void };

/**
 * Writes the reports and prints their names to `notes`; errors go to `io`. Each report is written whole or not at all.
 * False if one is missing: the command then ends with 4.
 */
export function writeReportFiles(run: Run, plan: ReportPlan, io: Io, notes: Pick<Io, "stderr"> = io): boolean {
  try {
    const { files, refused, broken } = saveReports(run, plan);
    if (files.length > 0) notes.stderr(`Reports in ${plan.folder}: ${files.join(" ")}\n`);
    for (const file of refused) io.stderr(`fxconform: ${file} is not written: a secret was found in it.\n`);
    const [error] = broken;
    if (error !== undefined) reportMishap({ error, command: "reports", secrets: plan.secrets }, io);
    for (const { message } of broken.slice(1)) io.stderr(`fxconform: ${withoutSecrets(message, plan.secrets)}\n`);
    return refused.length === 0 && error === undefined;
  } catch (error) {
    if (!(error instanceof WriteError)) throw error;
    io.stderr(`fxconform: ${error.message}\n`);
    return false;
  }
}

/**
 * Appends the summary to the page of a GitHub Actions step, if GITHUB_STEP_SUMMARY names one. Returns what went wrong,
 * because a page that cannot be written does not change the exit code.
 */
export function appendStepSummary(
  path: string | undefined,
  render: () => string | undefined,
  secrets: readonly string[],
): string | undefined {
  if (path === undefined || path === "") return undefined;
  const text = textOrError("The summary for GITHUB_STEP_SUMMARY", render);
  if (text instanceof Error) return `${withoutSecrets(text.message, secrets)}.`;
  if (text === undefined) return undefined;
  try {
    appendFileSync(path, text.endsWith("\n") ? text : `${text}\n`);
    return undefined;
  } catch (error) {
    return `GITHUB_STEP_SUMMARY names a file that cannot be written to (${codeOf(error)}).`;
  }
}

/** The reports could not be written. The message says which, why, and what became of earlier ones. */
export class WriteError extends Error {
  override readonly name = "WriteError";
}

/** What became of the reports. */
export interface Written {
  readonly files: readonly string[];
  /** Files in which a secret was found. */
  readonly refused: readonly string[];
  /** Reports that could not be made, by an internal error. The message names the file. */
  readonly broken: readonly Error[];
}

/**
 * Writes all reports to temporary files, and renames them after the last one is written. A report that cannot be made
 * does not stop the others.
 *
 * @throws {WriteError}
 */
export function saveReports(run: Run, { folder, renderers, secrets }: ReportPlan): Written {
  const refused: string[] = [];
  const broken: Error[] = [];
  const files: { readonly file: string; readonly temporary: string }[] = [];
  const replaced: string[] = [];
  let inWay: string | undefined;
  try {
    makeFolder(folder);
    for (const { file, render } of jsonFirst(renderers)) {
      const text = textOrError(file, () => reportText(run, render, secrets));
      if (text instanceof Error) {
        broken.push(text);
        continue;
      }
      if (text === undefined) {
        refused.push(file);
        continue;
      }
      const temporary = temporaryPath(folder, file);
      files.push({ file, temporary });
      disk.write(temporary, text);
    }
    for (const { file, temporary } of files) {
      inWay = file;
      renameSync(temporary, join(folder, file));
      replaced.push(file);
    }
  } catch (error) {
    for (const { temporary } of files) rmSync(temporary, { force: true });
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    const place = inWay === undefined ? folder : join(folder, inWay);
    const reason = codeOf(error) === "ENOSPC" ? "no space is left on the disk (ENOSPC)" : codeOf(error);
    const rest =
      replaced.length === 0
        ? "Earlier reports there are untouched."
        : `Of this run are ${replaced.join(", ")}; the others are as they were.`;
    throw new WriteError(`The reports could not be written to ${place}: ${reason}. ${rest}`);
  }
  return { files: files.map(({ file }) => file), refused, broken };
}

/** The others can be made again from it. */
const jsonFirst = (renderers: readonly Renderer[]): readonly Renderer[] =>
  renderers.toSorted((a, b) => Number(b.file === "report.json") - Number(a.file === "report.json"));

const textOrError = <T>(file: string, render: () => T): T | Error => {
  try {
    return render();
  } catch (cause) {
    return new Error(`${file} could not be made: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
};

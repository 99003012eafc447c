import { appendFileSync } from "node:fs";
import { reportText, withoutSecrets } from "../../engine/secrets.ts";
import { codeOf } from "../../model/files.ts";
import type { Run } from "../../model/run.ts";
import { saveReports, textOrError, WriteError, type SavePlan } from "../../reports/saving.ts";
import { reportMishap } from "./error-file.ts";
import type { Io } from "./io.ts";

/** Which reports go where. */
interface ReportPlan extends Pick<SavePlan, "folder" | "renderers"> {
  /** Known secrets: a report that contains one of them is not written. */
  readonly secrets: readonly string[];
}

/**
 * Writes the reports and prints their names to `notes`; errors go to `io`. Each report is written whole or not at all.
 * False if one is missing: the command then ends with 4.
 */
export function writeReportFiles(run: Run, plan: ReportPlan, io: Io, notes: Pick<Io, "stderr"> = io): boolean {
  try {
    const { files, refused, broken } = saveReports(run, {
      ...plan,
      textOf: (render) => reportText(run, render, plan.secrets),
    });
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

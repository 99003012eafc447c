import { fileBelow, fileBounds, fileBytes } from "../model/files.ts";
import { sinceLast } from "../model/conclusion/comparison.ts";
import { hasVerdict } from "../model/conclusion/outcome.ts";
import { defined } from "../model/defined.ts";
import type { Run } from "../model/run.ts";

/**
 * The file with the last report that has a verdict. It lies beside report.json, whose run may have
 * no verdict.
 */
export const previousFile = "previous.json";

export type LastReport = NonNullable<Awaited<ReturnType<typeof lastReportIn>>>;

/**
 * The last report in a folder whose run has a verdict. Undefined if there is none that this version
 * can read. `isReplaced`: the next report overwrites it.
 */
export async function lastReportIn(folder: string) {
  for (const file of ["report.json", previousFile]) {
    const text = contentOf(folder, file);
    const run = text === undefined ? undefined : await runOf(text);
    if (text !== undefined && run !== undefined && hasVerdict(run))
      return { text, run, isReplaced: file === "report.json" };
  }
  return undefined;
}

function contentOf(folder: string, file: string): string | undefined {
  try {
    return fileBytes(fileBelow(folder, file), { most: fileBounds.report }).toString();
  } catch {
    return undefined;
  }
}

/**
 * The run in the text of a report. Undefined if this version cannot read the text, for example
 * because another version wrote it.
 */
async function runOf(text: string): Promise<Run | undefined> {
  const { readRun, ReportError } = await import("./read.ts");
  try {
    return readRun(text);
  } catch (error) {
    if (error instanceof ReportError) return undefined;
    throw error;
  }
}

/**
 * The run, with what changed since the last report. Nothing is added if there is no last report, or
 * if it is not comparable (`sinceLast`).
 */
export function withChanges(run: Run, last: LastReport | undefined): Run {
  return {
    ...run,
    ...defined({ sinceLast: last && sinceLast(last.run, run) }),
  };
}

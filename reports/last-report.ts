import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sinceLast } from "../model/conclusion/comparison.ts";
import { hasVerdict } from "../model/conclusion/outcome.ts";
import { defined } from "../model/defined.ts";
import type { Run } from "../model/run.ts";

/** The last report with a verdict. It lies beside a report that may have none. */
export const previousFile = "previous.json";

/** An earlier report in a folder. `isReplaced`: the next report overwrites it. */
export interface LastReport {
  readonly text: string;
  readonly run: Run;
  readonly isReplaced: boolean;
}

/**
 * The last report in a folder with any verdict. Undefined if there is none that this version can
 * read.
 */
export async function lastReportIn(folder: string): Promise<LastReport | undefined> {
  for (const file of ["report.json", previousFile]) {
    const path = join(folder, file);
    if (!existsSync(path)) continue;
    const text = textOf(path);
    const run = text === undefined ? undefined : await runOf(text);
    if (text !== undefined && run !== undefined && hasVerdict(run))
      return { text, run, isReplaced: file === "report.json" };
  }
  return undefined;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** The run in a text. Undefined for a report of another format, which a later run replaces. */
async function runOf(text: string): Promise<Run | undefined> {
  const { readRun, ReportError } = await import("./read.ts");
  try {
    return readRun(text);
  } catch (error) {
    if (error instanceof ReportError) return undefined;
    throw error;
  }
}

/** The run with what changed since the last report, if both checked the same. */
export function withChanges(run: Run, last: LastReport | undefined): Run {
  return {
    ...run,
    ...defined({ sinceLast: last && sinceLast(last.run, run) }),
  };
}

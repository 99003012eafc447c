import type { Run } from "../reports/run.ts";
import type { Io } from "./io.ts";
import { WriteError, writeReports, type ReportPlan } from "./report-files.ts";

/** Writes the reports and says so on standard error. False where one is missing: the command then ends with 4. */
export function keepReports(run: Run, plan: ReportPlan, io: Io): boolean {
  try {
    const { files, refused } = writeReports(run, plan);
    if (files.length > 0) io.stderr(`Reports in ${plan.folder}: ${files.join(" ")}\n`);
    for (const file of refused) io.stderr(`fxconform: ${file} is not written: a secret was found in it.\n`);
    return refused.length === 0;
  } catch (error) {
    if (!(error instanceof WriteError)) throw error;
    io.stderr(`fxconform: ${error.message}\n`);
    return false;
  }
}

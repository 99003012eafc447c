import type { Run } from "../../model/run.ts";
import { reportMishap } from "./error-file.ts";
import type { Io } from "./io.ts";
import { WriteError, writeReports, type ReportPlan } from "./report-files.ts";
import { withoutSecrets } from "./secrets.ts";

/** Writes the reports and says so on standard error. False where one is missing: the command then ends with 4. */
export function keepReports(run: Run, plan: ReportPlan, io: Io): boolean {
  try {
    const { files, refused, broken } = writeReports(run, plan);
    if (files.length > 0) io.stderr(`Reports in ${plan.folder}: ${files.join(" ")}\n`);
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

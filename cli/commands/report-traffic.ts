import type { Run } from "../../model/run.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { isSilent } from "../output/silence.ts";
import type { Io } from "../output/io.ts";
import type { Modules } from "../modules.ts";
import { writeReportFiles } from "../output/report-files.ts";
import { prepareReportFolder } from "../output/report-folder.ts";
import { UsageError } from "../configuration/problem.ts";
import { reportMishap } from "../output/error-file.ts";
import { reportRun } from "./run-and-report.ts";

/** Judged traffic, and the secrets that must not be in any report of it. */
export interface Judged {
  readonly run: Run;
  readonly secrets: readonly string[];
}

/** What judging traffic needs. */
export interface Judging {
  /** Prints what is neither the result nor an error. */
  readonly notes: Io;
  /** Writes the reports of the traffic so far. */
  readonly write: (judged: Judged) => void;
}

/** Judges traffic, writes the reports, prints the result, and returns the exit code. */
export async function reportTraffic(
  configuration: Configuration,
  command: string,
  io: Io,
  modules: Modules,
  judge: (judging: Judging) => Promise<Judged>,
): Promise<number> {
  const { reportDir, reports, values, warnings } = configuration;
  const notes = isSilent(values) ? { ...io, stderr: () => undefined } : io;
  const all = await modules.renderers();
  const renderers = reports.map((name) => all[name]);
  prepareReportFolder(reportDir, values.reportDir?.where ?? "--report-dir", renderers);
  for (const warning of warnings) notes.stderr(`Warning: ${warning}\n`);
  const quiet = { ...io, stderr: () => undefined };
  try {
    const { run, secrets } = await judge({
      notes,
      write: (judged) =>
        void writeReportFiles(judged.run, { folder: reportDir, renderers, secrets: judged.secrets }, io, quiet),
    });
    const reporting = { configuration, renderers, command, secrets, resultOf: undefined, notes };
    return await reportRun(run, reporting, io, modules);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return reportMishap({ error, command, secrets: [] }, io);
  }
}

import type { Run } from "../../model/run.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { isSilent } from "../output/silence.ts";
import type { Io } from "../output/io.ts";
import type { Modules } from "../modules.ts";
import { prepareReportFolder } from "../output/report-folder.ts";
import { UsageError } from "../configuration/problem.ts";
import { reportMishap } from "../output/error-file.ts";
import { reportRun } from "./run-and-report.ts";

/** Judges traffic by `judged`, writes the reports, prints the result, and returns the exit code. */
export async function reportTraffic(
  configuration: Configuration,
  command: string,
  secrets: ReadonlySet<string>,
  io: Io,
  modules: Modules,
  judged: (notes: Io) => Promise<Run>,
): Promise<number> {
  const { reportDir, reports, values, warnings } = configuration;
  const notes = isSilent(values) ? { ...io, stderr: () => undefined } : io;
  const all = await modules.renderers();
  const renderers = reports.map((name) => all[name]);
  prepareReportFolder(
    reportDir,
    values.reportDir?.where ?? "--report-dir",
    renderers.map(({ file }) => file),
  );
  for (const warning of warnings) notes.stderr(`Warning: ${warning}\n`);
  try {
    const run = await judged(notes);
    const reporting = { configuration, renderers, command, secrets: [...secrets], resultOf: undefined, notes };
    return await reportRun(run, reporting, io, modules);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return reportMishap({ error, command, secrets: [...secrets] }, io);
  }
}

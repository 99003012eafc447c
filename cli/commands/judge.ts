import { basename, resolve } from "node:path";
import type { Command } from "./command.ts";
import { trafficConfigurationOf } from "./traffic-configuration.ts";
import { UsageError } from "../../settings/problem.ts";
import { program, shellWord } from "../../settings/command-line.ts";
import { prepareReportFolder } from "../../settings/report-folder.ts";
import { reportMishap } from "../output/error-file.ts";
import { isSilent } from "../output/silence.ts";
import { reportRun } from "./run-and-report.ts";
import type { RecordingError } from "../../traffic/recordings/entries.ts";

/** Judges recordings of traffic that others sent, writes the reports, and prints the result. */
export const judge: Command = async (invocation, io, modules) => {
  const { words } = invocation;
  const again = `${program} judge ${words.map(shellWord).join(" ")}`;
  const configuration = await trafficConfigurationOf(invocation, io, again);
  const { traffic, baseUrl, reportDir, reports, values, warnings } = configuration;
  const notes = isSilent(values) ? { ...io, stderr: () => undefined } : io;
  const all = await modules.renderers();
  const renderers = reports.map((name) => all[name]);
  prepareReportFolder(
    reportDir,
    values.reportDir?.where ?? "--report-dir",
    renderers.map(({ file }) => file),
  );
  for (const warning of warnings) notes.stderr(`Warning: ${warning}\n`);
  const files = words.map((word) => ({ path: resolve(io.cwd, word), name: basename(word) }));
  const judgeRecordings = await modules.judgeRecordings();
  try {
    const { run, secrets } = await judgeRecordings(traffic, { files, baseUrl });
    const reporting = { configuration, renderers, command: "judge", secrets, resultOf: undefined, notes };
    return await reportRun(run, reporting, io, modules);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "RecordingError")
      return reportMishap({ error, command: "judge", secrets: [] }, io);
    const { file, what } = error as RecordingError;
    throw new UsageError([{ where: file, what }]);
  }
};

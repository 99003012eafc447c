import { basename, resolve } from "node:path";
import type { Command } from "./command.ts";
import { judgeOptions, trafficConfigurationOf } from "../configuration/traffic.ts";
import { UsageError } from "../configuration/problem.ts";
import { program, shellWord } from "../output/command-line.ts";
import { reportTraffic } from "./report-traffic.ts";
import type { RecordingError } from "../../traffic/recordings/entries.ts";

/** Judges recordings of traffic that others sent, and writes the reports. */
export const judge: Command = async (invocation, io, modules) => {
  const { words } = invocation;
  const again = `${program} judge ${words.map(shellWord).join(" ")}`;
  const configuration = await trafficConfigurationOf(invocation, io, judgeOptions, again);
  const { traffic, baseUrl } = configuration;
  const files = words.map((word) => ({ path: resolve(io.cwd, word), name: basename(word) }));
  return reportTraffic(configuration, "judge", io, modules, async () => {
    const judgeRecordings = await modules.judgeRecordings();
    try {
      return await judgeRecordings(traffic, { files, baseUrl });
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "RecordingError") throw error;
      const { file, what } = error as RecordingError;
      throw new UsageError([{ where: file, what }]);
    }
  });
};

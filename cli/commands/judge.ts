import { basename, resolve } from "node:path";
import { configurationOf } from "../../settings/configuration.ts";
import { program, shellWord } from "../../settings/command-line.ts";
import { judgeOptions, optionNames } from "../../settings/options.ts";
import { wrong } from "../../settings/problem.ts";
import type { TrafficOptions } from "../../traffic/judge.ts";
import type { RecordingError } from "../../traffic/recordings/entries.ts";
import { reportMishap } from "../output/exit-code.ts";
import { reportingOf, reportRun } from "../runs/run-and-report.ts";
import type { Command } from "./command.ts";

/** Judges recordings of traffic that others sent, writes the reports, and prints the result. */
export const judge: Command = async (invocation, io) => {
  const { words } = invocation;
  const configuration = await configurationOf(invocation, io, {
    targetless: [],
    owned: optionNames.filter((name) => !judgeOptions.includes(name)),
    defaults: { reportDir: "fxconform-report" },
  });
  const { values } = configuration;
  const { target: _, settings, ...rules } = configuration.options;
  const options: TrafficOptions = {
    ...rules,
    selection: settings.selection,
    keepValues: values.keepValues?.value ?? false,
    secretHeaders: (values.secretHeaders?.value ?? []).map((name) => name.toLowerCase()),
    replayCommand: `${program} judge ${words.map(shellWord).join(" ")}`,
  };
  const reporting = await reportingOf(configuration, "judge", io);
  const files = words.map((word) => ({ path: resolve(io.cwd, word), name: basename(word) }));
  const judgeRecordings = await io.modules.judgeRecordings();
  try {
    const { run, secrets } = await judgeRecordings(options, { files, baseUrl: values.baseUrl?.value });
    return await reportRun(run, secrets, reporting, io);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "RecordingError")
      return reportMishap({ error, command: "judge", secrets: [] }, io);
    const { file, what } = error as RecordingError;
    throw wrong(file, what);
  }
};

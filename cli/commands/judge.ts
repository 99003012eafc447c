import { basename, resolve } from "node:path";
import type { OfflineOptions } from "../../engine/offline-run.ts";
import { InputError } from "../../model/files.ts";
import type { Run } from "../../model/run.ts";
import { shownAddress } from "../../model/target.ts";
import { configurationOf, type Configuration } from "../../settings/configuration.ts";
import { program, shellWord } from "../../settings/command-line.ts";
import { contractOptions, judgeOptions, optionNames, type OptionName } from "../../settings/options.ts";
import { wrong } from "../../settings/problem.ts";
import { reportMishap } from "../output/exit-code.ts";
import { reportingOf, reportRun } from "../runs/run-and-report.ts";
import type { Command } from "./command.ts";

/** Judges recordings of traffic that others sent, writes the reports, and prints the result. */
export const judge: Command = (invocation, io) =>
  judged("judge", judgeOptions, invocation, io, async (options, { values }) => {
    const files = invocation.words.map((word) => ({ path: resolve(io.cwd, word), name: basename(word) }));
    const judgeRecordings = await io.modules.judgeRecordings();
    const how = {
      keepValues: values.keepValues?.value ?? false,
      secretHeaders: (values.secretHeaders?.value ?? []).map((name) => name.toLowerCase()),
    };
    return judgeRecordings({ ...options, ...how }, { files, baseUrl: values.baseUrl?.value });
  });

/** Judges an OpenAPI document, writes the reports, and prints the result. */
export const contract: Command = (invocation, io) =>
  judged("contract", contractOptions, invocation, io, async (options) => {
    const [source = ""] = invocation.words;
    const judgeDocument = await io.modules.judgeDocument();
    return { run: await judgeDocument(options, source, resolve(io.cwd, source)), secrets: [] };
  });

type Judge = (
  options: OfflineOptions,
  configuration: Configuration,
) => Promise<{ readonly run: Run; readonly secrets: readonly string[] }>;

/** What no run sent is judged and reported in one way. */
async function judged(
  command: string,
  taken: readonly OptionName[],
  invocation: Parameters<Command>[0],
  io: Parameters<Command>[1],
  judge: Judge,
): Promise<number> {
  const { words } = invocation;
  const configuration = await configurationOf(invocation, io, {
    targetless: [],
    owned: optionNames.filter((name) => !taken.includes(name)),
    defaults: { reportDir: "fxconform-report" },
  });
  const { target: _, settings, ...rules } = configuration.options;
  const replayCommand = `${program} ${command} ${words.map((word) => shellWord(shownAddress(word))).join(" ")}`;
  const reporting = await reportingOf(configuration, command, io);
  try {
    const { run, secrets } = await judge({ ...rules, selection: settings.selection, replayCommand }, configuration);
    return await reportRun(run, secrets, reporting, io);
  } catch (error) {
    if (error instanceof InputError) throw wrong(error.file, error.what);
    return reportMishap({ error, command, secrets: [] }, io);
  }
}

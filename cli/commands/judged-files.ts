import { redactionOf } from "../../model/evidence/redaction.ts";
import { basename, resolve } from "node:path";
import type { OfflineOptions } from "../../model/run-options.ts";
import { InputError } from "../../model/files.ts";
import { reportsOfDocuments } from "../../model/run-options.ts";
import type { Run } from "../../model/run.ts";
import { shownFile } from "../../settings/file.ts";
import { configurationOf, type Configuration } from "../../settings/configuration.ts";
import { program, shellWord, shortPath } from "../../settings/command-line.ts";
import { contractOptions, flagOf, judgeOptions, type OptionName } from "../../settings/options.ts";
import { text } from "../../settings/kinds/words.ts";
import { flagValue, type Flags } from "../../settings/sources.ts";
import { wrong } from "../../settings/problem.ts";
import { reportMishap } from "../output/exit-code.ts";
import type { Io } from "../output/io.ts";
import { prepareReporting, finishReporting } from "../runs/run-and-report.ts";
import type { Command } from "./command.ts";

type OfflineJudge = (
  options: OfflineOptions,
  files: readonly string[],
  configuration: Configuration,
  io: Io,
  flags: Flags,
) => Promise<{ readonly run: Run; readonly secrets?: readonly string[] }>;

/**
 * Makes a command that judges recordings or a document, writes the reports, and prints the result.
 */
function offline(command: string, taken: readonly OptionName[], judge: OfflineJudge): Command {
  return async ({ words, flags }, io) => {
    const read = await configurationOf(flags, io, {
      targetless: true,
      open: taken,
      defaults: { reportDir: "fxconform-report" },
    });
    const reports = command === "contract" ? reportsOfDocuments(read.reports) : read.reports;
    const configuration = { ...read, reports };
    const { target: _, settings, ...rules } = configuration.options;
    const replayCommand = [
      program(),
      command,
      ...words.map((word) => shellWord(word)),
      ...(read.values.reportDir.origin === "flag"
        ? [flagOf("reportDir"), shellWord(shortPath(read.reportDir, io.cwd))]
        : []),
    ].join(" ");
    const options = { ...rules, selection: settings.selection, replayCommand };
    const reporting = await prepareReporting(configuration, command, io);
    try {
      const { run, secrets = [] } = await judge(options, words, configuration, io, flags);
      const own = [run.target?.baseUrl ?? ""];
      return await finishReporting(run, redactionOf(secrets, own), reporting, io);
    } catch (error) {
      if (error instanceof InputError) throw wrong(shownFile(error.file, io.cwd), error.what);
      return reportMishap({ error, command }, io);
    }
  };
}

/** Judges recordings of traffic that others have sent. */
export const judge = offline("judge", judgeOptions, async (options, words, { values }, io) => {
  const judgeRecordings = await io.modules.judgeRecordings();
  const keepValues = values.keepValues.value;
  const secretHeaders = (values.secretHeaders?.value ?? []).map((name) => name.toLowerCase());
  const files = words.map((word) => ({
    path: resolve(io.cwd, word),
    name: basename(word),
  }));
  return judgeRecordings(
    { ...options, keepValues, secretHeaders },
    { files, baseUrl: values.baseUrl?.value },
  );
});

/** Judges an OpenAPI document. */
export const contract = offline(
  "contract",
  contractOptions,
  async (options, [source = ""], _, io, flags) => {
    const { judgeDocument } = await import("../../engine/document/document-run.ts");
    const folder = flagValue("--root", flags["root"], text);
    const root = folder === undefined ? undefined : resolve(io.cwd, folder);
    return { run: await judgeDocument(options, { source, path: resolve(io.cwd, source), root }) };
  },
);

import { dirname, resolve } from "node:path";
import { reportNames } from "../../model/run-options.ts";
import type { Command } from "./command.ts";
import { exitCodes } from "../output/exit-code.ts";
import { flagValue } from "../../settings/values.ts";
import { text } from "../../settings/kinds/words.ts";
import { options } from "../../settings/options.ts";
import { problemCollector } from "../../settings/problem.ts";
import { writeReportFiles } from "../output/report-files.ts";
import { prepareReportFolder } from "../../settings/report-folder.ts";
import { readReports } from "../runs/report-input.ts";

/** Makes the formats that `--to` names from a report.json, byte for byte as the run did; by default all but json. */
export const report: Command = async ({ words, flags, problems }, io, modules) => {
  const collected = problemCollector(problems);
  const named = collected.attempt(() => flagValue("--to", flags["to"], options.reports.kind));
  const folderGiven = collected.attempt(() => flagValue("--report-dir", flags["reportDir"], text));
  const [input] = await readReports(words, collected.problems, io, modules);
  if (input === undefined) throw new TypeError("a report without a problem is missing");
  const folder = folderGiven === undefined ? dirname(input.path) : resolve(io.cwd, folderGiven);
  const all = await modules.renderers();
  const renderers = (named ?? reportNames.filter((name) => name !== "json")).map((name) => all[name]);
  prepareReportFolder(folder, "--report-dir", renderers);
  const secrets = [io.env["FXCONFORM_API_KEY"] ?? ""];
  const written = writeReportFiles(input.run, { folder, renderers, secrets }, io);
  return written ? exitCodes.pass : exitCodes.error;
};

import { dirname, resolve } from "node:path";
import type { Command } from "./command.ts";
import { exitCodes } from "../output/exit-code.ts";
import { flagValue } from "../configuration/flag-value.ts";
import { keepReports } from "../output/report-output.ts";
import { text } from "../configuration/kinds/text.ts";
import { options, reportNames } from "../configuration/options.ts";
import { gathering } from "../configuration/problem.ts";
import { prepareReportFolder } from "../output/report-files.ts";
import { readReports } from "./report-input.ts";

/** Makes the other formats from a report.json again, the same byte for byte: all but the report.json itself where nothing is said. */
export const report: Command = async ({ words, flags, problems }, io, parts) => {
  const gathered = gathering(problems);
  const named = await gathered.read(() => flagValue("--to", flags["to"], options.reports.kind));
  const elsewhere = await gathered.read(() => flagValue("--report-dir", flags["reportDir"], text));
  const [input] = await readReports(words, gathered.problems, io, parts);
  if (input === undefined) throw new TypeError("a report without a problem is missing");
  const folder = elsewhere === undefined ? dirname(input.path) : resolve(io.cwd, elsewhere);
  const all = await parts.renderers();
  const renderers = (named ?? reportNames.filter((name) => name !== "json")).map((name) => all[name]);
  prepareReportFolder(folder, "--report-dir", renderers);
  const secrets = [io.env["FXCONFORM_API_KEY"] ?? ""];
  const kept = keepReports(input.run, { folder, renderers, secrets }, io);
  return kept ? exitCodes.pass : exitCodes.error;
};

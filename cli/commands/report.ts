import { dirname, resolve } from "node:path";
import type { Command } from "../command.ts";
import type { Flags } from "../configuration.ts";
import { exitCodes } from "../exit-code.ts";
import { keepReports } from "../keeping.ts";
import { choices } from "../kinds/choice.ts";
import { Misfit } from "../kinds/kind.ts";
import { reportNames } from "../options.ts";
import type { RendererName } from "../parts.ts";
import { UsageError, type Problem } from "../problem.ts";
import { prepareReportFolder } from "../report-files.ts";
import { readReport } from "../report-input.ts";

/** Makes the other formats from a report.json again, the same byte for byte. */
export const report: Command = async ({ words, flags, problems }, io, parts) => {
  const names = reportsNamed(flags["to"], problems);
  const { path, run } = await readReport(words[0], io, parts);
  const folder = typeof flags["reportDir"] === "string" ? resolve(io.cwd, flags["reportDir"]) : dirname(path);
  prepareReportFolder(folder, "--report-dir", names.includes("json"));
  const renderers = await parts.renderers();
  const secrets = [io.env["FXCONFORM_API_KEY"] ?? ""];
  const kept = keepReports(run, { folder, renderers: names.map((name) => renderers[name]), secrets }, io);
  return kept ? exitCodes.pass : exitCodes.error;
};

/** All but the report.json itself where nothing is said. */
function reportsNamed(flag: Flags[string], problems: readonly Problem[]): readonly RendererName[] {
  const wrong = [...problems];
  try {
    if (wrong.length === 0) {
      return flag === undefined
        ? reportNames.filter((name) => name !== "json")
        : choices(reportNames).ofText(String(flag));
    }
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    wrong.push({ where: "--to", what: `must be ${error.message}`, found: String(flag), advice: error.advice });
  }
  throw new UsageError(wrong);
}

import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { scenariosOf } from "../../model/conclusion/comparison.ts";
import { hasVerdict } from "../../model/conclusion/outcome.ts";
import type { RequirementResult, Run } from "../../model/run.ts";
import { shortPath } from "../../settings/command-line.ts";
import { configurationOf } from "../../settings/configuration.ts";
import { options, replayOptions } from "../../settings/options.ts";
import { quoted, UsageError, wrong } from "../../settings/problem.ts";
import { requirementsNamed } from "../../settings/selection.ts";
import { flagValue, type Flags } from "../../settings/sources.ts";
import { exitCodes } from "../output/exit-code.ts";
import type { Io } from "../output/io.ts";
import { reportText, reportWithVerdict } from "../runs/report-input.ts";
import { runAndReport } from "../runs/run-and-report.ts";
import type { Command } from "./command.ts";

/**
 * Checks again what failed in an earlier report: a run of its failures alone, with its seed. The
 * report decides nothing else, because it can come from anybody.
 */
export const replay: Command = async ({ words: [given], flags }, io) => {
  const usual = given ?? (await usualReport(flags, io));
  const input = await reportWithVerdict(usual, io, given === undefined ? usual : undefined);
  const { path, run } = input;
  io.stderr(`Replays ${reportText(input, io)}.\n`);
  if (run.profile === "traffic" || run.profile === "contract") {
    const what = `is a report of fxconform ${run.profile === "traffic" ? "judge" : "contract"}, which sent nothing`;
    throw wrong(path, what, "Repeat that command: it judges the same again.");
  }
  const failed = chosen(run, flagValue("--only", flags["only"], options.only.kind));
  if (failed.length === 0) {
    const judged = hasVerdict(run);
    const why = judged
      ? "No requirement failed in this report"
      : "This report is of a run without a verdict";
    io.stdout(`${why}: there is nothing to replay.\n`);
    return judged ? exitCodes.pass : exitCodes.inconclusive;
  }
  const configuration = await configurationOf({ ...flags, only: failed.map(({ id }) => id) }, io, {
    given: {
      origin: "file",
      whereOf: (name) => `${name} in the report`,
      folder: io.cwd,
      values: { seed: run.seed },
    },
    // Variables and the configuration file do not decide where a replay writes.
    open: [...replayOptions, "reports", "color"],
    defaults: { reportDir: join(dirname(path), "replay") },
    replayed: given === undefined ? [] : [given],
  });
  const { reportDir, values } = configuration;
  if (existsSync(reportDir) && realpathSync(reportDir) === realpathSync(dirname(path))) {
    const what = "is the folder of the report to replay, which would be lost";
    throw wrong(values.reportDir.where, what, "Name another folder.", reportDir);
  }
  const { settings, ...others } = configuration.options;
  const own = { ...others, settings: { ...settings, scenarios: scenariosOf(failed) } };
  const before = { ...run, requirements: failed };
  return runAndReport({ ...configuration, options: own }, "replay", io, { before });
};

/** The path of the report in the folder where `run` writes without flags. */
async function usualReport({ config }: Flags, io: Io): Promise<string> {
  const presets = { targetless: true, open: ["reportDir"] } as const;
  const { reportDir } = await configurationOf({ config }, io, presets);
  return shortPath(join(reportDir, "report.json"), io.cwd);
}

/**
 * Returns the requirements with findings that `names` selects, or without `names` all that failed.
 * Throws `UsageError` if a name selects none.
 */
function chosen(run: Run, names: readonly string[] | undefined): readonly RequirementResult[] {
  if (names === undefined) return run.requirements.filter(({ verdict }) => verdict === "fail");
  const found = run.requirements.filter(({ findings }) => findings.length > 0);
  const known = found.map(({ id }) => id);
  const ids = names.map((name) => known.filter((id) => requirementsNamed(name)?.includes(id)));
  const what = "names no requirement with a finding in this report";
  const advice = `It has findings for ${known.join(", ") || "none"}.`;
  const problems = names.flatMap((name, index) =>
    ids[index]?.length === 0 ? [{ where: "--only", what, found: quoted(name), advice }] : [],
  );
  if (problems.length > 0) throw new UsageError(problems);
  return found.filter(({ id }) => ids.flat().includes(id));
}

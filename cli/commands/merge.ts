import { resolve } from "node:path";
import type { Command } from "../command.ts";
import { colourOn } from "../asking.ts";
import { exitCodeOf, exitCodes } from "../exit-code.ts";
import { keepReports } from "../keeping.ts";
import { mergedRun } from "../merging.ts";
import { reportNames } from "../options.ts";
import { UsageError, type Problem } from "../problem.ts";
import { prepareReportFolder } from "../report-files.ts";
import { readReport, type ReportInput } from "../report-input.ts";

/** The reports of several shards as one, with the exit code that one run would have had. */
export const merge: Command = async ({ words, flags, problems }, io, parts) => {
  if (problems.length > 0) throw new UsageError(problems);
  const inputs: ReportInput[] = [];
  for (const word of words) inputs.push(await readReport(word, io, parts));
  const wrong = mismatches(inputs);
  const [first, ...rest] = inputs.map(({ run }) => run);
  if (first === undefined || wrong.length > 0) throw new UsageError(wrong);
  if (rest.some(({ seed }) => seed !== first.seed)) {
    io.stderr("Warning: the shards have different seeds; give all of them the same --seed to make one run of them.\n");
  }
  const run = mergedRun([first, ...rest]);

  const folder = resolve(io.cwd, typeof flags["output"] === "string" ? flags["output"] : "fxconform-report");
  prepareReportFolder(folder, "--output", true);
  const renderers = await parts.renderers();
  const secrets = [io.env["FXCONFORM_API_KEY"] ?? ""];
  const plan = { folder, renderers: reportNames.map((name) => renderers[name]), secrets };
  const kept = keepReports(run, plan, io);
  io.stdout((await parts.consoleText())(run, { color: colourOn(io) }));
  return kept ? exitCodeOf(run) : exitCodes.error;
};

/** Why the reports are not shards of one run. */
function mismatches(inputs: readonly ReportInput[]): readonly Problem[] {
  const [first, ...rest] = inputs;
  if (first === undefined) {
    return [
      {
        where: "merge",
        what: "joins at least one report",
        advice: "fxconform merge a/report.json b/report.json -o all",
      },
    ];
  }
  const seen = new Set([first.run.runId]);
  return rest.flatMap(({ path, run }): readonly Problem[] => {
    const twice = seen.has(run.runId);
    seen.add(run.runId);
    if (twice)
      return [{ where: path, what: "is the same run as another of the reports", advice: "Name each shard once." }];
    if (run.target.baseUrl === first.run.target.baseUrl && run.tool.version === first.run.tool.version) return [];
    return [
      { where: path, what: `is of another target or version than ${first.path}`, advice: "Merge shards of one run." },
    ];
  });
}

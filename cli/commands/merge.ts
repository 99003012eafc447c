import { resolve } from "node:path";
import type { Command } from "./command.ts";
import { colourOn } from "./run-and-report.ts";
import { exitCodeOf, exitCodes } from "../output/exit-code.ts";
import { flagValue } from "../configuration/flag-value.ts";
import { keepReports } from "../output/report-output.ts";
import { mergedRun } from "./merging.ts";
import { text } from "../configuration/kinds/text.ts";
import { gathering, UsageError, type Problem } from "../configuration/problem.ts";
import { prepareReportFolder } from "../output/report-files.ts";
import { readReports, type ReportInput } from "./report-input.ts";

/** The reports of several shards as one, with the exit code that one run would have had. */
export const merge: Command = async ({ words, flags, problems }, io, parts) => {
  const gathered = gathering(problems);
  const output = await gathered.read(() => flagValue("--output", flags["output"], text));
  const inputs = await readReports(words, gathered.problems, io, parts);
  const unlike = mismatches(inputs);
  const wrong = unlike.length > 0 ? unlike : gaps(inputs);
  const [first, ...rest] = inputs.map(({ run }) => run);
  if (first === undefined || wrong.length > 0) throw new UsageError(wrong);
  if (rest.some(({ seed }) => seed !== first.seed)) {
    io.stderr("Warning: the shards have different seeds; give all of them the same --seed to make one run of them.\n");
  }
  const run = mergedRun([first, ...rest]);

  const folder = resolve(io.cwd, output ?? "fxconform-report");
  const renderers = Object.values(await parts.renderers());
  prepareReportFolder(folder, "--output", renderers);
  const plan = { folder, renderers, secrets: [io.env["FXCONFORM_API_KEY"] ?? ""] };
  const kept = keepReports(run, plan, io);
  io.stdout((await parts.consoleText())(run, { color: colourOn(io) }));
  return kept ? exitCodeOf(run) : exitCodes.error;
};

/** Why the reports are not shards of one run. */
function mismatches(inputs: readonly ReportInput[]): readonly Problem[] {
  const [first, ...rest] = inputs;
  if (first === undefined) return [];
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

/** What parts of a run leave open: another part is missing, or was asked something else. */
function gaps(inputs: readonly ReportInput[]): readonly Problem[] {
  const parts = inputs.flatMap(({ path, run: { shard } }) => (shard === undefined ? [] : [{ path, ...shard }]));
  const [first] = parts;
  if (first === undefined) return [];
  const seen = new Map<number, string>();
  const wrong = parts.flatMap(({ path, index, count }): readonly Problem[] => {
    const part = `part ${index} of ${count}`;
    const same = seen.get(index);
    seen.set(index, path);
    if (count !== first.count) {
      const what = `is ${part}, where ${first.path} is one of ${first.count}`;
      return [{ where: path, what, advice: "Merge the parts of one run." }];
    }
    return same === undefined
      ? []
      : [{ where: path, what: `is ${part}, as ${same} is`, advice: "Name each part once." }];
  });
  if (wrong.length > 0) return wrong;
  const missing = Array.from({ length: first.count }, (_, i) => i + 1).filter((index) => !seen.has(index));
  if (missing.length > 0) {
    return missing.map((index) => ({
      where: "merge",
      what: `lacks part ${index} of ${first.count}`,
      advice: `Name its report too, or make it with the same selection and --shard ${index}/${first.count}.`,
    }));
  }
  const rows = inputs.flatMap(({ run }) => run.requirements);
  const asked = new Set(rows.filter(({ verdict }) => verdict !== "skip").map(({ id }) => id));
  const left = rows.filter(({ id, skippedBy }) => skippedBy === "shard" && !asked.has(id)).map(({ id }) => id);
  if (left.length === 0) return [];
  const what = `finds no part that asked ${[...new Set(left)].join(", ")}`;
  return [{ where: "merge", what, advice: "Give all parts the same --only, --exclude and --profile." }];
}

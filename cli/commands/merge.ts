import { resolve } from "node:path";
import type { Command } from "./command.ts";
import { colorOn } from "../output/color.ts";
import { exitCodeOf, exitCodes } from "../output/exit-code.ts";
import { flagValue } from "../configuration/invocation.ts";
import { mergedRun } from "../runs/merging.ts";
import { text } from "../configuration/kinds/text.ts";
import { problemCollector, UsageError, type Problem } from "../configuration/problem.ts";
import { writeReportFiles } from "../output/report-files.ts";
import { prepareReportFolder } from "../output/report-folder.ts";
import { readReports, type ReportInput } from "../runs/report-input.ts";

/** The reports of several shards as one, with the exit code that one run would have had. */
export const merge: Command = async ({ words, flags, problems }, io, modules) => {
  const collected = problemCollector(problems);
  const output = await collected.read(() => flagValue("--output", flags["output"], text));
  const inputs = await readReports(words, collected.problems, io, modules);
  const unlike = mismatches(inputs);
  const wrong = unlike.length > 0 ? unlike : gaps(inputs);
  const [first, ...rest] = inputs.map(({ run }) => run);
  if (first === undefined || wrong.length > 0) throw new UsageError(wrong);
  if (rest.some(({ seed }) => seed !== first.seed)) {
    io.stderr("Warning: the shards have different seeds; give all of them the same --seed to make one run of them.\n");
  }
  const run = mergedRun([first, ...rest]);

  const color = typeof flags["color"] === "boolean" ? flags["color"] : undefined;
  const folder = resolve(io.cwd, output ?? "fxconform-report");
  const renderers = Object.values(await modules.renderers());
  prepareReportFolder(
    folder,
    "--output",
    renderers.map(({ file }) => file),
  );
  const plan = { folder, renderers, secrets: [io.env["FXCONFORM_API_KEY"] ?? ""] };
  const written = writeReportFiles(run, plan, io);
  io.stdout((await modules.consoleText())(run, { color: colorOn(io, color) }));
  return written ? exitCodeOf(run) : exitCodes.error;
};

/** Why the reports are not shards of one run. */
function mismatches(inputs: readonly ReportInput[]): readonly Problem[] {
  const [first, ...rest] = inputs;
  if (first === undefined) return [];
  const seen = new Set([first.run.runId]);
  return rest.flatMap(({ path, run }): readonly Problem[] => {
    const twice = seen.has(run.runId);
    seen.add(run.runId);
    if (twice) return [{ where: path, what: "is the same run as another report", advice: "Name each shard once." }];
    if (run.target.baseUrl === first.run.target.baseUrl && run.tool.version === first.run.tool.version) return [];
    return [
      { where: path, what: `is of another target or version than ${first.path}`, advice: "Merge shards of one run." },
    ];
  });
}

/** What is missing between the shards of a run: another shard, or requirements that none of them checked. */
function gaps(inputs: readonly ReportInput[]): readonly Problem[] {
  const shards = inputs.flatMap(({ path, run: { shard } }) => (shard === undefined ? [] : [{ path, ...shard }]));
  const [first] = shards;
  if (first === undefined) return [];
  const seen = new Map<number, string>();
  const wrong = shards.flatMap(({ path, index, count }): readonly Problem[] => {
    const shard = `shard ${index} of ${count}`;
    const same = seen.get(index);
    seen.set(index, path);
    if (count !== first.count) {
      const what = `is ${shard}, but ${first.path} is one of ${first.count}`;
      return [{ where: path, what, advice: "Merge the shards of one run." }];
    }
    return same === undefined
      ? []
      : [{ where: path, what: `is ${shard}, as ${same} is`, advice: "Name each shard once." }];
  });
  if (wrong.length > 0) return wrong;
  const missing = Array.from({ length: first.count }, (_, i) => i + 1).filter((index) => !seen.has(index));
  if (missing.length > 0) {
    return missing.map((index) => ({
      where: "merge",
      what: `needs shard ${index} of ${first.count}`,
      advice: `Name its report too, or make it with the same selection and --shard ${index}/${first.count}.`,
    }));
  }
  const rows = inputs.flatMap(({ run }) => run.requirements);
  const judged = new Set(
    rows.filter(({ verdict, skippedBy }) => verdict !== "skip" || skippedBy === "bail").map(({ id }) => id),
  );
  const left = rows.filter(({ id, skippedBy }) => skippedBy === "shard" && !judged.has(id)).map(({ id }) => id);
  if (left.length === 0) return [];
  const what = `finds no shard that checked ${[...new Set(left)].join(", ")}`;
  return [{ where: "merge", what, advice: "Give all shards the same --only, --exclude and --profile." }];
}

import { resolve } from "node:path";
import type { Command } from "./command.ts";
import { colorOn } from "../output/color.ts";
import { configurationOf } from "../configuration/configuration.ts";
import { program } from "../output/command-line.ts";
import { exitCodeOf, exitCodes } from "../output/exit-code.ts";
import { flagValue } from "../configuration/invocation.ts";
import { mergedRun } from "../runs/merging.ts";
import { gateOptions, optionNames } from "../configuration/options.ts";
import { text } from "../configuration/kinds/text.ts";
import { problemCollector, UsageError, type Problem } from "../configuration/problem.ts";
import { writeReportFiles } from "../output/report-files.ts";
import { prepareReportFolder } from "../output/report-folder.ts";
import { readReports, type ReportInput } from "../runs/report-input.ts";
import type { Run } from "../../model/run.ts";

/** The reports of several shards as one, with the exit code that one run would have had. */
export const merge: Command = async (invocation, io, modules) => {
  const { words, flags, problems } = invocation;
  const collected = problemCollector(problems);
  const output = await collected.read(() => flagValue("--output", flags["output"], text));
  const owned = optionNames.filter((name) => !gateOptions.includes(name));
  const read = { ...invocation, problems: [] };
  const configuration = await collected.read(() =>
    configurationOf(read, io, { targetless: [], reportless: true, owned }),
  );
  const inputs = await readReports(words, collected.problems, io, modules);
  const unlike = mismatches(inputs);
  const wrong = unlike.length > 0 ? unlike : gaps(inputs);
  const [first, ...rest] = inputs.map(({ run }) => run);
  if (first === undefined || configuration === undefined || wrong.length > 0) throw new UsageError(wrong);
  for (const warning of configuration.warnings) io.stderr(`Warning: ${warning}\n`);
  if (rest.some(({ seed }) => seed !== first.seed)) {
    io.stderr("Warning: the reports have different seeds: no single run can show the same again.\n");
  }
  const run = mergedRun([first, ...rest], configuration.options);

  const color = typeof flags["color"] === "boolean" ? flags["color"] : undefined;
  const folder = resolve(io.cwd, output ?? "fxconform-report");
  const renderers = Object.values(await modules.renderers());
  prepareReportFolder(folder, "--output", renderers);
  const plan = { folder, renderers, secrets: [io.env["FXCONFORM_API_KEY"] ?? ""] };
  const written = writeReportFiles(run, plan, io);
  io.stdout((await modules.consoleText())(run, { color: colorOn(io, color), program }));
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

/** Why the shards are not one whole run: one is missing, or they differ in what they had to do. */
function gaps(inputs: readonly ReportInput[]): readonly Problem[] {
  const shards = inputs.flatMap(({ path, run }) => (run.shard === undefined ? [] : [{ path, run, ...run.shard }]));
  const [first, ...rest] = shards;
  if (first === undefined) return [];
  const whole = inputs.find(({ run }) => run.shard === undefined);
  if (whole !== undefined) {
    return [
      {
        where: whole.path,
        what: "is not the report of a shard, unlike the others",
        advice: "Merge the shards of one run.",
      },
    ];
  }
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
  return rest.flatMap(({ path, run }) => differences(run, first.run).map((what) => differs(path, first.path, what)));
}

const differs = (path: string, than: string, what: string): Problem => ({
  where: path,
  what: `has another ${what} than ${than}`,
  advice: "Give all shards the same --seed, --runs, --profile, --only and --exclude.",
});

/** In what two shards differ that should belong to one run. */
const differences = (run: Run, first: Run): readonly string[] => [
  ...(run.seed === first.seed ? [] : [`seed (${run.seed}, not ${first.seed})`]),
  ...(run.runs === first.runs ? [] : [`number of samples (${run.runs}, not ${first.runs})`]),
  ...(run.profile === first.profile ? [] : [`profile (${run.profile}, not ${first.profile})`]),
  ...(String(leftOut(run)) === String(leftOut(first)) ? [] : ["selection"]),
];

const leftOut = ({ requirements }: Run): readonly string[] =>
  requirements.flatMap(({ id, skippedBy }) => (skippedBy === "selection" ? [id] : []));

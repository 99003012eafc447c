import { resolve } from "node:path";
import type { Run } from "../../model/run.ts";
import { configurationOf } from "../../settings/configuration.ts";
import { flagValue } from "../../settings/values.ts";
import { text } from "../../settings/kinds/words.ts";
import { gateOptions, optionNames } from "../../settings/options.ts";
import { problemCollector, UsageError, type Problem } from "../../settings/problem.ts";
import { prepareReportFolder } from "../../settings/report-folder.ts";
import { mergedRun } from "../runs/merging.ts";
import { readReports, type ReportInput } from "../runs/report-input.ts";
import type { Command } from "./command.ts";
import { reportRun } from "../runs/reporting.ts";

/** Joins the reports of runs with several seeds into one report, with its exit code. */
export const merge: Command = async (invocation, io, modules) => {
  const collected = problemCollector(invocation.problems);
  const output = collected.attempt(() => flagValue("--output", invocation.flags["output"], text));
  const owned = optionNames.filter((name) => !gateOptions.includes(name));
  const configuration = await collected.read(() =>
    configurationOf({ ...invocation, problems: [] }, io, { targetless: [], reportless: true, owned }),
  );
  const inputs = await readReports(invocation.words, collected.problems, io, modules);
  const [first, ...rest] = inputs.map(({ run }) => run);
  const wrong = mismatches(inputs);
  if (first === undefined || configuration === undefined || wrong.length > 0) throw new UsageError(wrong);
  for (const warning of configuration.warnings) io.stderr(`Warning: ${warning}\n`);
  const reportDir = resolve(io.cwd, output ?? "fxconform-report");
  const renderers = Object.values(await modules.renderers());
  prepareReportFolder(reportDir, "--output", renderers);
  const reporting = { configuration: { ...configuration, reportDir }, command: "merge", renderers, notes: io };
  const run = mergedRun([first, ...rest], configuration.options);
  return reportRun(run, [io.env["FXCONFORM_API_KEY"] ?? ""], reporting, io, modules);
};

/** Why the reports cannot be joined: what differs, and in which file. */
const mismatches = (inputs: readonly ReportInput[]): readonly Problem[] =>
  inputs.flatMap(({ path, run }) => {
    if (run.profile === "traffic") return [{ where: path, what: "is the report of judged traffic, not of a run" }];
    const [first = { path, run }] = inputs;
    return Object.entries(shared).flatMap(([name, of]) => {
      const what = `has another ${name} than ${first.path}: ${of(run)}, not ${of(first.run)}`;
      return of(run) === of(first.run) ? [] : [{ where: path, what, advice: "Merge runs of different seeds only." }];
    });
  });

/** What all reports have in common. */
const shared: Readonly<Record<string, (run: Run) => string>> = {
  target: ({ target }) => target.baseUrl,
  catalogue: ({ tool, requirements }) => `${requirements.length} requirements of fxconform ${tool.version}`,
  selection: ({ profile, selection }) => JSON.stringify({ profile, ...selection }),
};

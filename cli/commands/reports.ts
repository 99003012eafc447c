import { redactionOf, type Redaction } from "../../model/evidence/redaction.ts";
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { hasVerdict } from "../../model/conclusion/outcome.ts";
import { reportNames, reportsOfDocuments } from "../../model/run-options.ts";
import { questionIds, type QuestionId } from "../../spec/questions.ts";
import type { Run } from "../../model/run.ts";
import { previousFile } from "../../reports/last-report.ts";
import { shortPath } from "../../settings/command-line.ts";
import { configurationOf } from "../../settings/configuration.ts";
import type { Kind } from "../../settings/kinds/kind.ts";
import { choices, text } from "../../settings/kinds/words.ts";
import { gateOptions, options } from "../../settings/options.ts";
import { UsageError, type Problem } from "../../settings/problem.ts";
import { prepareReportFolder } from "../../settings/report-folder.ts";
import { flagValue } from "../../settings/sources.ts";
import { exitCodes } from "../output/exit-code.ts";
import { comparisonOf, comparisonText } from "../runs/comparison.ts";
import { statementText } from "../runs/statement-text.ts";
import { mergedRun } from "../../model/conclusion/merging.ts";
import { readReport, reportText, type ReportInput } from "../runs/report-input.ts";
import { reportRun, writeReportFiles } from "../runs/run-and-report.ts";
import { plainJson } from "../../reports/sanitize.ts";
import { packagePlace, writeText } from "../output/text-file.ts";
import type { Command } from "./command.ts";

/**
 * Prints the differences between two reports. Returns exit code 1 if a verdict differs, or if both
 * runs observed an answer and the answers differ.
 */
export const diff: Command = async ({ words: [before = "", after = ""], flags }, io) => {
  const comparison = comparisonOf(
    (await readReport(before, io)).run,
    (await readReport(after, io)).run,
  );
  io.stdout(
    flags["json"] === true
      ? `${plainJson(JSON.stringify(comparison, undefined, 2))}\n`
      : comparisonText(comparison),
  );
  return comparison.verdicts.length + comparison.answers.length > 0
    ? exitCodes.fail
    : exitCodes.pass;
};

/**
 * Writes the observations of a report as a statement, with which `--statement` compares later runs.
 * Returns exit code 3 if the report has none.
 */
export const pin: Command = async ({ words: [word = ""], flags }, io) => {
  const output = flagValue("--output", flags["output"], text);
  const only = flagValue("--only", flags["only"], questionNames);
  const input = await readReport(word, io);
  const { path, run } = input;
  const folder = output === undefined ? io.cwd : dirname(resolve(io.cwd, output));
  const schema = packagePlace(folder, "dist/settings/statement.schema.json");
  io.stderr(`Reads ${reportText(input, io)}.\n`);
  const statement = hasVerdict(run) ? await statementText(run, schema, only) : undefined;
  if (statement === undefined) {
    io.stderr(
      `fxconform: ${shortPath(path, io.cwd)} has nothing to pin${besideText(path)}.\n` +
        "Nothing is written: a gate with an empty statement would pass whatever the server answers.\n",
    );
    return exitCodes.inconclusive;
  }
  writeText(statement, output, flags["force"] === true, io);
  return exitCodes.pass;
};

/** The ids of open questions, in any letter case. */
const questionNames: Kind<readonly QuestionId[], string | string[]> = {
  ...choices(questionIds),
  fromText: (words) => ({ value: words.toUpperCase() }),
};

/**
 * Returns words that point to the last report with a verdict, or none if there is none beside this
 * report.
 */
function besideText(path: string): string {
  const isBeside = basename(path) !== previousFile && existsSync(join(dirname(path), previousFile));
  return isBeside ? `; ${previousFile} beside it is the last report with a verdict` : "";
}

/**
 * Makes the formats that `--to` names from a report.json, with the same bytes as the run wrote. By
 * default, makes all formats except json.
 */
export const report: Command = async ({ words: [word = ""], flags }, io) => {
  const named = flagValue("--to", flags["to"], options.reports.kind);
  const folderGiven = flagValue("--report-dir", flags["reportDir"], text);
  const input = await readReport(word, io);
  const folder = folderGiven === undefined ? dirname(input.path) : resolve(io.cwd, folderGiven);
  const all = await io.modules.renderers();
  const usual = reportNames.filter((name) => name !== "json");
  const names = named ?? (input.run.profile === "contract" ? reportsOfDocuments(usual) : usual);
  const renderers = names.map((name) => all[name]);
  prepareReportFolder(folder, "--report-dir", renderers);
  const missing = await writeReportFiles(
    input.run,
    { folder, renderers, secrets: knownKey(io) },
    io,
  );
  return missing.length === 0 ? exitCodes.pass : exitCodes.error;
};

/**
 * Joins the reports of runs with several seeds into one report, and returns the exit code of that
 * report.
 */
export const merge: Command = async ({ words, flags }, io) => {
  const output = flagValue("--output", flags["output"], text);
  const configuration = await configurationOf(flags, io, { targetless: true, open: gateOptions });
  const inputs = await Promise.all(words.map((word) => readReport(word, io)));
  const [first, ...rest] = inputs.map(({ run }) => run);
  const wrong = mismatches(inputs);
  if (first === undefined || wrong.length > 0) throw new UsageError(wrong);
  for (const warning of configuration.warnings) io.stderr(`Warning: ${warning}\n`);
  const reportDir = resolve(io.cwd, output ?? "fxconform-report");
  const renderers = Object.values(await io.modules.renderers());
  prepareReportFolder(reportDir, "--output", renderers);
  const reporting = {
    configuration: { ...configuration, reportDir },
    command: "merge",
    renderers,
    notes: io,
  };
  return reportRun(mergedRun([first, ...rest], configuration.options), knownKey(io), reporting, io);
};

function knownKey({ env }: Parameters<Command>[1]): Redaction {
  return redactionOf([env["FXCONFORM_API_KEY"] ?? ""]);
}

/**
 * Returns why the reports cannot be joined: what differs, and in which file. Empty if they can be.
 */
function mismatches(inputs: readonly ReportInput[]): readonly Problem[] {
  return inputs.flatMap(({ path, run }, index) => {
    if (run.profile === "traffic" || run.profile === "contract")
      return [
        { where: path, what: "is not the report of a run, but of judged traffic or of a document" },
      ];
    const [first = { path, run }] = inputs;
    const earlier = inputs.slice(0, index).find((one) => sharesRun(one.run, run));
    if (earlier !== undefined)
      return [
        {
          where: path,
          what: `holds the same run as ${earlier.path}, which would count twice`,
          advice: "Name each report once.",
        },
      ];
    return Object.entries(shared).flatMap(([name, of]) => {
      const what = `has another ${name} than ${first.path}: ${of(run)}, not ${of(first.run)}`;
      return of(run) === of(first.run)
        ? []
        : [{ where: path, what, advice: "Merge runs of different seeds only." }];
    });
  });
}

/** Whether two reports contain a run in common. A merged report has the ids of all its runs. */
function sharesRun(one: Run, other: Run): boolean {
  const ids = other.runId.split("+");
  return one.runId.split("+").some((id) => ids.includes(id));
}

const shared: Readonly<Record<string, (run: Run) => string>> = {
  target: ({ target }) => target.baseUrl,
  catalogue: ({ tool, requirements }) =>
    `${requirements.length} requirements of fxconform ${tool.version}`,
  selection: ({ profile, selection }) => JSON.stringify({ profile, ...selection }),
};

import { redactionOf, type Redaction } from "../../model/evidence/redaction.ts";
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { hasVerdict } from "../../model/conclusion/outcome.ts";
import { reportNames, reportsOfDocuments } from "../../model/run-options.ts";
import { questionIds, type QuestionId } from "../../spec/questions.ts";
import { previousFile } from "../../reports/last-report.ts";
import { shortPath } from "../../settings/command-line.ts";
import type { Kind } from "../../settings/kinds/kind.ts";
import { choices, text } from "../../settings/kinds/words.ts";
import { options } from "../../settings/options.ts";
import { prepareReportFolder } from "../../settings/report-folder.ts";
import { flagValue } from "../../settings/sources.ts";
import { exitCodes } from "../output/exit-code.ts";
import { comparisonOf, comparisonText } from "../runs/comparison.ts";
import { statementText } from "../runs/statement-text.ts";
import { readReport, reportText } from "../runs/report-input.ts";
import { writeReportFiles } from "../runs/run-and-report.ts";
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
 * Makes the formats that `--reports` names from a report.json, with the same bytes as the run wrote. By
 * default, makes all formats except json.
 */
export const report: Command = async ({ words: [word = ""], flags }, io) => {
  const named = flagValue("--reports", flags["reports"] ?? flags["to"], options.reports.kind);
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

function knownKey({ env }: Parameters<Command>[1]): Redaction {
  return redactionOf([env["FXCONFORM_API_KEY"] ?? ""]);
}

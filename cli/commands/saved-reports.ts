import { redactionOf } from "../../model/evidence/redaction.ts";
import { dirname, resolve } from "node:path";
import { hasVerdict } from "../../model/conclusion/outcome.ts";
import { reportNames, reportsOfDocuments } from "../../model/run-options.ts";
import { questionIds, type QuestionId } from "../../spec/questions.ts";
import { shortPath } from "../../settings/command-line.ts";
import type { Kind } from "../../settings/kinds/kind.ts";
import { choices, text } from "../../settings/kinds/words.ts";
import { options } from "../../settings/options.ts";
import { prepareReportFolder } from "../../settings/report-folder.ts";
import { flagValue } from "../../settings/sources.ts";
import { exitCodes } from "../output/exit-code.ts";
import { comparisonOf, comparisonText, casesOf, type QuestionCase } from "../runs/comparison.ts";
import { readReport, reportText } from "../runs/report-input.ts";
import { writeReportFiles } from "../runs/run-and-report.ts";
import { plainJson, plain } from "../../reports/sanitize.ts";
import { packagePlace, writeText } from "../output/text-file.ts";
import type { Command } from "./command.ts";
import type { Run } from "../../model/run.ts";
import { otherCases } from "../../settings/statement.ts";

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
  const statement = hasVerdict(run) ? statementText(run, schema, only) : undefined;
  if (statement === undefined) {
    io.stderr(
      `fxconform: ${shortPath(path, io.cwd)} has nothing to pin.\n` +
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
  fromText: (words) => words.toUpperCase(),
};

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
    { folder, renderers, secrets: redactionOf([io.env["FXCONFORM_API_KEY"] ?? ""]) },
    io,
  );
  return missing.length === 0 ? exitCodes.pass : exitCodes.error;
};

/**
 * The observations of a run as a statement in YAML: a line for each question with its answer, and
 * below it the cases with other answers. Undefined if there are none.
 */
function statementText(
  run: Run,
  schema: string,
  only: readonly QuestionId[] = questionIds,
): string | undefined {
  const entries = only.flatMap((id) => {
    const cases = casesOf(id, [run]);
    if (cases.length === 0) return [];
    const question = plain(run.observations.find((one) => one.id === id)?.question ?? "");
    const rows = answersOf(cases);
    const [[answer, names]] = rows;
    if (rows.length === 1 && names[0] === otherCases)
      return [`${id}: ${yamlWord(answer)} # ${question}`];
    return [`${id}: # ${question}`, ...rows.flatMap(answerLines)];
  });
  const { target, startedAt, profile, seed, tool } = run;
  const head = [
    `# yaml-language-server: $schema=${schema}`,
    "# Answers to questions that the specification leaves open. Another answer fails the gate of a run with --statement.",
    "# `OPEN-08: 201` or a list of answers holds for every case of a question. Remove what may vary.",
    `# Observed at ${plain(target.baseUrl)} on ${plain(startedAt)}, profile ${profile}, seed ${seed}, fxconform ${plain(tool.version)}.`,
  ];
  return entries.length === 0 ? undefined : [...head, "", ...entries, ""].join("\n");
}

/** An answer with the names of its cases. */
type AnswerRow = readonly [answer: string, names: readonly string[]];

function answerLines([answer, names]: AnswerRow): readonly string[] {
  const words = names.map(yamlWord);
  return words.length === 1
    ? [`  ${yamlWord(answer)}: ${words.join("")}`]
    : [`  ${yamlWord(answer)}:`, ...words.map((word) => `    - ${word}`)];
}

/** A text as a scalar of YAML on one line. One in double quotation marks has the escapes of JSON. */
function yamlWord(text: string): string {
  const isPlain = /^[A-Za-z/][\w /]*$/.test(text) && !/^(?:true|false|null)$/i.test(text);
  return isPlain ? text : plainJson(JSON.stringify(text));
}

/**
 * Returns each answer with the names of its cases. One name (`otherCases`) stands for the cases of
 * the most frequent answer, which comes first, unless that answer has only one case of several.
 */
function answersOf(cases: readonly QuestionCase[]): readonly [AnswerRow, ...AnswerRow[]] {
  const rows = cases.map(({ name, answers: [first = []] }) => ({ name, answers: first }));
  const casesWith = (answer: string) => rows.filter(({ answers }) => answers.includes(answer));
  const alone = (answer: string): number =>
    casesWith(answer).filter(({ answers }) => answers.length === 1).length;
  const [usual = "", ...others] = [...new Set(rows.flatMap(({ answers }) => answers))].toSorted(
    (one, other) => alone(other) - alone(one),
  );
  const named = (answer: string): readonly string[] => casesWith(answer).map(({ name }) => name);
  const shared = casesWith(usual).filter(({ answers }) => answers.length > 1);
  const ofUsual =
    alone(usual) > 1 || rows.length === 1
      ? [otherCases, ...shared.map(({ name }) => name)]
      : named(usual);
  return [[usual, ofUsual], ...others.map((answer): AnswerRow => [answer, named(answer)])];
}

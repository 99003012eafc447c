import type { Run } from "../../model/run.ts";
import { isHarmless, plain, plainJson } from "../../reports/sanitize.ts";
import { otherCases } from "../../settings/statement.ts";
import { questionIds, type QuestionId } from "../../spec/questions.ts";
import { casesOf, type QuestionCase } from "./comparison.ts";

/**
 * The observations of a run as a statement in YAML: a line for each question with its answer, and
 * below it the cases with other answers. Undefined if there are none.
 */
export async function statementText(
  run: Run,
  schema: string,
  only: readonly QuestionId[] = questionIds,
): Promise<string | undefined> {
  const yamlOf = await yamlWriter();
  const entries = only.flatMap((id) => {
    const cases = casesOf(id, [run]);
    if (cases.length === 0) return [];
    const question = run.observations.find((one) => one.id === id)?.question ?? "";
    const [first = "", ...below] = yamlOf(id, answersOf(cases)).split("\n");
    return [`${first} # ${plain(question)}`, ...below];
  });
  return entries.length === 0 ? undefined : [...headOf(run, schema), "", ...entries, ""].join("\n");
}

function headOf(
  { target, startedAt, profile, seed, tool }: Run,
  schema: string,
): readonly string[] {
  return [
    `# yaml-language-server: $schema=${schema}`,
    "# Answers to questions that the specification leaves open. Another answer fails the gate of a run with --statement.",
    "# `OPEN-08: 201` or a list of answers holds for every case of a question. Remove what may vary.",
    `# Observed at ${plain(target.baseUrl)} on ${plain(startedAt)}, profile ${profile}, seed ${seed}, fxconform ${plain(tool.version)}.`,
  ];
}

type Answers = ReadonlyMap<string, readonly string[]>;

/**
 * Returns a function that writes a question with its answers and their cases. If all cases have the
 * same answer, this answer stands in the line of the question.
 */
async function yamlWriter(): Promise<(id: QuestionId, answers: Answers) => string> {
  const { Scalar, stringify } = await import("yaml");
  /**
   * Puts a text that needs escapes in double quotation marks: no other scalar of YAML has escapes.
   */
  const scalarOf = (text: string): unknown => {
    if (isHarmless(text)) return text;
    const scalar = new Scalar(text);
    scalar.type = "QUOTE_DOUBLE";
    return scalar;
  };
  const namesIn = (names: readonly string[]): unknown =>
    names.length === 1 ? scalarOf(names[0] ?? "") : names.map(scalarOf);
  return (id, answers) => {
    const rows = [...answers].map(([answer, names]) => [scalarOf(answer), namesIn(names)] as const);
    const [first] = rows;
    const value = rows.length === 1 && first?.[1] === otherCases ? first[0] : new Map(rows);
    return plainJson(stringify(new Map([[id, value]]), { lineWidth: 0 }).trimEnd());
  };
}

/**
 * Returns each answer with the names of its cases. One name (`otherCases`) stands for the cases of
 * the most frequent answer, unless that answer has only one case of several.
 */
function answersOf(cases: readonly QuestionCase[]): Answers {
  const rows = cases.map(({ name, answers: [first = []] }) => ({ name, answers: first }));
  const answers = [...new Set(rows.flatMap((row) => row.answers))];
  const counts = answers.map(
    (answer) => rows.filter((row) => row.answers.length === 1 && row.answers[0] === answer).length,
  );
  const most = Math.max(...counts);
  const usual = most > 1 || rows.length === 1 ? answers[counts.indexOf(most)] : undefined;
  const namesOf = (answer: string): readonly string[] => {
    const named = rows.filter((row) => row.answers.includes(answer));
    if (answer !== usual) return named.map(({ name }) => name);
    return [otherCases, ...named.filter((row) => row.answers.length > 1).map(({ name }) => name)];
  };
  const inOrder = answers.toSorted((one, other) => Number(other === usual) - Number(one === usual));
  return new Map(inOrder.map((answer) => [answer, namesOf(answer)]));
}

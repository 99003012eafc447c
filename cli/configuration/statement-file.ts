import { basename } from "node:path";
import type { PinnedAnswer } from "../../model/gate.ts";
import { isQuestionId, questionIds, type QuestionId } from "../../spec/questions.ts";
import { program } from "../output/command-line.ts";
import { parsedFile } from "./config-file.ts";
import { UsageError, type Problem } from "./problem.ts";
import { suggestion } from "./suggestion.ts";

/**
 * Reads a statement: the id of an open question, and what may be observed. An answer or a list of answers holds for
 * every case of the question; an object maps each answer to the cases in which it may be observed. In a list of cases,
 * which may be nested, `first words: [a, b]` stands for `first words a` and `first words b`. Throws `UsageError`.
 */
export async function readStatement(path: string, where: string): Promise<readonly PinnedAnswer[]> {
  const value = await parsedFile(path, where);
  const file = basename(path);
  if (value === null || value === undefined) {
    const advice = `${program} pin writes a statement from a report.json; {} pins nothing.`;
    throw new UsageError([{ where: file, what: "is empty", advice }]);
  }
  if (!isObject(value)) {
    const advice = `${program} pin writes one from a report.json.`;
    throw new UsageError([{ where: file, what: "must map ids of open questions to answers", advice }]);
  }
  const { $schema: _, ...given } = value;
  const problems: Problem[] = [];
  const pinned = Object.entries(given).flatMap(([question, raw]) => {
    const pins = isQuestionId(question) ? pinsOf(question, raw) : undefined;
    if (!isQuestionId(question)) problems.push(unknownQuestion(question, file));
    else if (pins === undefined) problems.push(badAnswer(question, raw, file));
    return pins ?? [];
  });
  if (problems.length > 0) throw new UsageError(problems);
  return pinned;
}

function pinsOf(question: QuestionId, raw: unknown): readonly PinnedAnswer[] | undefined {
  if (!isObject(raw)) {
    const answers = wordsOf(raw);
    return answers === undefined ? undefined : [{ question, answers }];
  }
  const rows = Object.entries(raw).map(([answer, cases]) => ({ answer, cases: casesOf(cases) }));
  if (rows.length === 0 || rows.some(({ cases }) => cases === undefined)) return undefined;
  const names = [...new Set(rows.flatMap(({ cases = [] }) => cases))];
  return names.map((name) => ({
    question,
    case: name,
    answers: rows.filter(({ cases = [] }) => cases.includes(name)).map(({ answer }) => answer),
  }));
}

function casesOf(raw: unknown): readonly string[] | undefined {
  const items: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  const names = items.map((item) => {
    if (!isObject(item)) return wordsOf(item);
    const groups = Object.entries(item).map(([first, rest]) => wordsOf(rest)?.map((word) => `${first} ${word}`));
    return groups.length === 0 || groups.includes(undefined) ? undefined : groups.flatMap((group) => group ?? []);
  });
  return names.length === 0 || names.includes(undefined) ? undefined : names.flatMap((group) => group ?? []);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** One word or several: 201 and "201" are the same, as a report holds text. */
function wordsOf(raw: unknown): readonly string[] | undefined {
  const list: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  if (list.length === 0) return undefined;
  const words = list.map((word) => (["string", "number", "boolean"].includes(typeof word) ? String(word) : undefined));
  return words.includes(undefined) ? undefined : (words as readonly string[]);
}

const unknownQuestion = (id: string, file: string): Problem => ({
  where: `${id} in ${file}`,
  what: "is not the id of an open question",
  advice: suggestion(id, questionIds) ?? `${program} list shows them.`,
});

const badAnswer = (id: string, raw: unknown, file: string): Problem => ({
  where: `${id} in ${file}`,
  what: "must be an answer, a list of answers, or an object of answers and their cases",
  found: JSON.stringify(raw),
});

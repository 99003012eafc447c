import { basename } from "node:path";
import type { PinnedAnswer } from "../../engine/options.ts";
import { isQuestionId, questionIds } from "../../spec/questions.ts";
import { parsedFile } from "./config-file.ts";
import { UsageError, type Problem } from "./problem.ts";
import { suggestion } from "./suggestion.ts";

/** Reads a statement: the id of an open question → the answer, or a list of answers, that may be observed. Throws `UsageError`. */
export async function readStatement(path: string, where: string): Promise<readonly PinnedAnswer[]> {
  const value = await parsedFile(path, where);
  const file = basename(path);
  if (value === null || value === undefined) {
    const advice = "fxconform pin writes a statement from a report.json; {} pins nothing.";
    throw new UsageError([{ where: file, what: "holds nothing", advice }]);
  }
  if (typeof value !== "object" || Array.isArray(value)) {
    const advice = "fxconform pin writes one from a report.json.";
    throw new UsageError([{ where: file, what: "must map ids of open questions to answers", advice }]);
  }
  const { $schema: _, ...given } = value as Record<string, unknown>;
  const problems: Problem[] = [];
  const pinned = Object.entries(given).flatMap(([question, raw]) => {
    const answers = answersOf(raw);
    if (!isQuestionId(question)) problems.push(unknownQuestion(question, file));
    else if (answers === undefined) problems.push(badAnswer(question, raw, file));
    else return [{ question, answers }];
    return [];
  });
  if (problems.length > 0) throw new UsageError(problems);
  return pinned;
}

/** 201 and "201" are the same answer: reports tell answers as text. */
function answersOf(raw: unknown): readonly string[] | undefined {
  const list: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  if (list.length === 0) return undefined;
  const words = list.map((answer) =>
    ["string", "number", "boolean"].includes(typeof answer) ? String(answer) : undefined,
  );
  return words.includes(undefined) ? undefined : (words as readonly string[]);
}

const unknownQuestion = (id: string, file: string): Problem => ({
  where: `${id} in ${file}`,
  what: "is not the id of an open question",
  advice: suggestion(id, questionIds) ?? "fxconform list shows them.",
});

const badAnswer = (id: string, raw: unknown, file: string): Problem => ({
  where: `${id} in ${file}`,
  what: "must be an answer or a list of answers",
  found: JSON.stringify(raw),
});

import { suggestion } from "./problem.ts";
import * as v from "valibot";
import type { PinnedAnswer } from "../model/run-options.ts";
import { questionIds, type QuestionId } from "../spec/questions.ts";
import { program } from "./command-line.ts";
import { checkedFile } from "./file.ts";
import { anyObject, message } from "./kinds/kind.ts";

/** In a statement, stands for all cases of a question that the statement does not name. */
export const otherCases = "every other case";

const wanted = "must be an answer, a list of answers, or an object of answers and their cases";

/** 201 and "201" are the same answer, because a report holds answers as texts. */
const word = v.pipe(v.union([v.string(), v.number(), v.boolean()], wanted), v.transform(String));

/** One answer or case, or a list of at least one. Either is read as a list. */
const words = v.pipe(
  v.union([word, v.pipe(v.array(word), v.minLength(1))], wanted),
  v.transform((all): readonly string[] => [all].flat()),
);

type Pin = Omit<PinnedAnswer, "question">;

function pinsOf(rows: Readonly<Record<string, readonly string[]>>): readonly Pin[] {
  const answersOf = new Map<string, string[]>();
  for (const [answer, cases] of Object.entries(rows))
    for (const name of new Set(cases)) {
      const answers = answersOf.get(name) ?? [];
      answers.push(answer);
      answersOf.set(name, answers);
    }
  const except = [...answersOf.keys()].filter((name) => name !== otherCases);
  return [...answersOf].map(([name, answers]) => {
    return name === otherCases ? { except, answers } : { case: name, answers };
  });
}

/** The answers that may be observed in every case, or each answer with its cases. */
export const answersSchema = v.pipe(
  v.union(
    [
      v.pipe(
        words,
        v.transform((all): readonly Pin[] => [{ answers: all }]),
      ),
      v.pipe(
        anyObject(wanted, words),
        v.minEntries(1, wanted),
        v.description(
          `Each answer with the cases in which it may be observed: { refused with 400: [without /name], accepted: ${otherCases} }.`,
        ),
        v.record(v.string(), words, wanted),
        v.transform((rows): readonly Pin[] => pinsOf(rows)),
      ),
    ],
    wanted,
  ),
  v.description(
    "An answer or several, in every case of the question; or answers with their cases.",
  ),
);

export const statementSchema = v.strictObject(
  {
    $schema: v.optional(v.string()),
    ...(Object.fromEntries(questionIds.map((id) => [id, v.exactOptional(answersSchema)])) as Record<
      QuestionId,
      v.ExactOptionalSchema<typeof answersSchema, undefined>
    >),
  },
  ({ expected, path }) =>
    expected === "never"
      ? message(
          "is not the id of an open question",
          suggestion(String(path?.at(-1)?.key), questionIds) ?? `${program()} list shows them.`,
        )
      : message(
          "must map ids of open questions to answers",
          `${program()} pin writes one from a report.json.`,
        ),
);

/**
 * Reads a statement and returns its pinned answers, each with the id of its open question. Throws
 * `UsageError` if the file cannot be read or is wrong.
 */
export async function readStatement(path: string, where: string): Promise<readonly PinnedAnswer[]> {
  const advice = `${program()} pin writes a statement from a report.json; {} pins nothing.`;
  const pins = await checkedFile(statementSchema, path, where, advice);
  return questionIds.flatMap((question) =>
    (pins[question] ?? []).map((pin) => ({
      question,
      ...pin,
      answers: pin.answers.map((answer) => formerAnswers[question]?.[answer] ?? answer),
    })),
  );
}

/** The words of answers in statements of earlier versions, with the words of today. */
const formerAnswers: Partial<Record<QuestionId, Readonly<Record<string, string>>>> = {
  "OPEN-21": { accepted: "no", "refused with 401": "yes", "refused with 403": "yes" },
};

import * as v from "valibot";
import { basename } from "node:path";
import type { PinnedAnswer } from "../model/gate.ts";
import { questionIds, type QuestionId } from "../spec/questions.ts";
import { program } from "./command-line.ts";
import { parsedFile } from "./file.ts";
import { dictionary, message, misfitOf } from "./kinds/kind.ts";
import { UsageError, wrong } from "./problem.ts";
import { suggestion } from "./selection.ts";

const wanted = "must be an answer, a list of answers, or an object of answers and their cases";

/** 201 and "201" are the same, as a report holds text. */
const word = v.pipe(v.union([v.string(), v.number(), v.boolean()], wanted), v.transform(String));

/** One, or a list that is not empty. */
const words = v.pipe(
  v.union([word, v.pipe(v.array(word), v.minLength(1))], wanted),
  v.transform((all): readonly string[] => [all].flat()),
);

type Pin = Omit<PinnedAnswer, "question">;

/** What may be observed: answers for every case, or for each answer its cases. */
export const answersSchema = v.pipe(
  v.union(
    [
      v.pipe(
        words,
        v.transform((all): readonly Pin[] => [{ answers: all }]),
      ),
      v.pipe(
        dictionary(words, wanted),
        v.minEntries(1, wanted),
        v.description("Each answer with the cases in which it may be observed: { refused with 400: [without /name] }."),
        v.transform((rows): readonly Pin[] =>
          [...new Set(Object.values(rows).flat())].map((name) => ({
            case: name,
            answers: Object.keys(rows).filter((answer) => rows[answer]?.includes(name)),
          })),
        ),
      ),
    ],
    wanted,
  ),
  v.description("An answer or several, in every case of the question; or answers with their cases."),
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
          suggestion(String(path?.at(-1)?.key), questionIds) ?? `${program} list shows them.`,
        )
      : message("must map ids of open questions to answers", `${program} pin writes one from a report.json.`),
);

/** Reads a statement: the id of each open question, and what may be observed. Throws `UsageError`. */
export async function readStatement(path: string, where: string): Promise<readonly PinnedAnswer[]> {
  const file = basename(path);
  const value = await parsedFile(path, where);
  if (value === null || value === undefined)
    throw wrong(file, "is empty", `${program} pin writes a statement from a report.json; {} pins nothing.`);
  const { success, output, issues } = v.safeParse(statementSchema, Array.isArray(value) ? null : value, {
    abortPipeEarly: true,
  });
  if (success) return questionIds.flatMap((question) => (output[question] ?? []).map((pin) => ({ question, ...pin })));
  const first = new Map(issues.toReversed().map((issue) => [issue.path?.[0]?.key as string | undefined, issue]));
  throw new UsageError(
    [...first].toReversed().map(([key, issue]) => {
      const { wanted: what, advice } = misfitOf(issue);
      if (key === undefined) return { where: file, what, advice };
      const found = issue.expected === "never" ? undefined : JSON.stringify(issue.path?.[0]?.value);
      return { where: `${key} in ${file}`, what, found, advice };
    }),
  );
}

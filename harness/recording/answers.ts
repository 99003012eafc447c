import type { Evidence } from "../../model/evidence.ts";
import type { QuestionId } from "../../spec/questions.ts";
import { bounds } from "./bounds.ts";
import { createCounter } from "./counter.ts";

/** The answers of a target to open questions, counted. */
export interface Answers {
  /** False if the bound on kept answers is reached: then the answer is not counted. */
  readonly add: (question: QuestionId, inCase: string, answer: string) => boolean;
  /** The observations since the last call. */
  readonly taken: () => readonly Evidence[];
}

export const createAnswers = (): Answers => {
  const counts = createCounter<string>();
  const cases = new Map<QuestionId, Map<string, number>>();

  /** Whether there is room for a new answer of its case, and for the case of its question. */
  const hasRoom = (question: QuestionId, inCase: string): boolean => {
    const known = cases.get(question) ?? new Map<string, number>();
    cases.set(question, known);
    const answers = known.get(inCase) ?? 0;
    if (answers >= bounds.answers || (answers === 0 && known.size >= bounds.cases)) return false;
    known.set(inCase, answers + 1);
    return true;
  };

  return {
    add: (question, inCase, answer) => {
      const key = JSON.stringify([question, inCase, answer]);
      if (counts.of(key) === 0 && !hasRoom(question, inCase)) return false;
      counts.add(key);
      return true;
    },
    taken: () =>
      counts.taken().map(([key, count]) => {
        const [question, inCase, answer] = JSON.parse(key) as [QuestionId, string, string];
        return { type: "observation", question, case: inCase, answer, count };
      }),
  };
};

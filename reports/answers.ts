import { groups } from "./groups.ts";
import type { Observation } from "../model/run.ts";

/** An answer to an open question and the cases in which it was observed. */
export interface AnswerGroup {
  readonly answer: string;
  readonly count: number;
  readonly cases: readonly string[];
}

/** The answers of an observation, grouped over its cases. The most frequent comes first. */
export const answerGroups = ({ answers }: Observation): readonly AnswerGroup[] =>
  [...groups(answers, ({ answer }) => answer)]
    .map(([answer, group]) => ({
      answer,
      count: group.reduce((sum, { count }) => sum + count, 0),
      cases: group.map((one) => one.case),
    }))
    .sort((a, b) => b.count - a.count);

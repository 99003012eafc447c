import { groups } from "./groups.ts";
import type { Observation } from "../model/run.ts";

/** An answer to an open question and the cases in which it was given; none where the answer does not tell cases. */
export interface AnswerGroup {
  readonly answer: string;
  readonly count: number;
  readonly cases: readonly string[];
}

/**
 * The answers of an observation, told once each. `without /name: refused with 400` and `400: with an empty key` name
 * a case and an outcome; whichever side repeats itself is the answer. The most frequent comes first.
 */
export function answerGroups({ answers }: Observation): readonly AnswerGroup[] {
  const pairs = answers.map(({ value, count }) => ({ ...sidesOf(value), count }));
  const told = pairs.filter(({ right }) => right !== "");
  const byLeft = told.every(({ left }) => /^\d{3}$/.test(left)) || sidesLeft(told) < sidesRight(told);
  const sorted = pairs.map(({ left, right, count }) =>
    right === "" || byLeft ? { answer: left, story: right, count } : { answer: right, story: left, count },
  );
  return [...groups(sorted, ({ answer }) => answer)]
    .map(([answer, group]) => ({
      answer,
      count: group.reduce((sum, { count }) => sum + count, 0),
      cases: group.flatMap(({ story }) => (story === "" ? [] : [story])),
    }))
    .sort((a, b) => b.count - a.count);
}

interface Sides {
  readonly left: string;
  /** Empty where there is only one. */
  readonly right: string;
}

function sidesOf(value: string): Sides {
  const at = value.indexOf(": ");
  return at === -1 ? { left: value, right: "" } : { left: value.slice(0, at), right: value.slice(at + 2) };
}

const sidesLeft = (pairs: readonly Sides[]): number => new Set(pairs.map(({ left }) => left)).size;
const sidesRight = (pairs: readonly Sides[]): number => new Set(pairs.map(({ right }) => right)).size;

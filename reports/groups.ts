import { groups } from "../model/groups.ts";
import type { RequirementResult, Run, Verdict, Observation } from "../model/run.ts";

/** The first items of a list; `rest` says how many are left out. */
export function atMost<T>(
  most: number,
  items: readonly T[],
  rest: (left: number) => T,
): readonly T[] {
  return items.length <= most ? items : [...items.slice(0, most), rest(items.length - most)];
}

/** A reason as a sentence: with a capital and a full stop. */
export function sentence(text: string): string {
  const end = /[.!?…]$/.test(text) ? "" : ".";
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${end}`;
}

export function reasonOf({ reason }: RequirementResult): string {
  return reason ?? "no reason was recorded";
}

/** The requirements with a verdict, grouped by the reason for it. */
export function byReason(
  { requirements }: Pick<Run, "requirements">,
  verdict: Verdict,
): readonly (readonly [reason: string, rows: readonly RequirementResult[]])[] {
  return [
    ...groups(
      requirements.filter((row) => row.verdict === verdict),
      reasonOf,
    ),
  ];
}

/** The answers of an observation, grouped over its cases. The most frequent comes first. */
export function answerGroups({ answers }: Observation) {
  return [...groups(answers, ({ answer }) => answer)]
    .map(([answer, group]) => ({
      answer,
      count: group.reduce((sum, { count }) => sum + count, 0),
      cases: group.map((one) => one.case),
    }))
    .sort((a, b) => b.count - a.count);
}

export type AnswerGroup = ReturnType<typeof answerGroups>[number];

import type { ObservedAnswer } from "./run.ts";

/** Sorts the answers to a question by case; within a case, the most frequent first. */
export const byAnswer = (a: ObservedAnswer, b: ObservedAnswer): number =>
  inOrder(a.case, b.case) || b.count - a.count || inOrder(a.answer, b.answer);

/** Sorts texts by their UTF-16 code units, so that the order is the same in every locale. */
export const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

import type { RequestFacts, Trial } from "./request-facts.ts";

/** The limit that a trial has shown, in words that follow "requests". Undefined if it showed none. */
export function limitOf({ over, from }: Trial): string | undefined {
  if (over !== undefined) return `with more than ${over} characters`;
  return from === undefined ? undefined : `with an amount of ${from} or more`;
}

/** Whether a request is beyond the limit that a trial has shown, wherever else it is odd. */
export function isExplained({ texts, amount = 0 }: RequestFacts, trial: Trial): boolean {
  const { place = "", over, from } = trial;
  if (over !== undefined) return (texts?.[place] ?? 0) > over;
  return from !== undefined && amount >= from;
}

/** So much longer than usual is a wait for something else. */
const longer = { times: 3, ms: 500 };

/**
 * How long a response takes that waited for something else, in milliseconds, at least, if responses
 * took so long: a quarter of them is quick even where many wait.
 */
export function longWait(took: readonly number[]): number {
  const quick = [...took].sort((one, other) => one - other)[Math.floor(took.length / 4)] ?? 0;
  return Math.max(quick * longer.times, quick + longer.ms);
}

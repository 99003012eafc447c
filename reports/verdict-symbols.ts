import type { Outcome, RequirementResult, Verdict } from "../model/run.ts";

/** One character for each verdict, so that nothing is said by colour alone. */
export const signs = {
  fail: "✗",
  warn: "!",
  inconclusive: "?",
  skip: "–",
  pass: "✓",
} as const satisfies Record<Verdict, string>;

/** All verdicts, the most urgent first. */
export const verdicts = Object.keys(signs) as readonly Verdict[];

/** The verdict as people count it: `3 failed`. */
export const counted = {
  fail: "failed",
  warn: "warned",
  inconclusive: "inconclusive",
  skip: "skipped",
  pass: "passed",
} as const satisfies Record<Verdict, string>;

/** One character for each outcome. */
export const outcomeSigns = {
  conformant: "✓",
  nonconformant: "✗",
  partial: "○",
  inconclusive: "?",
  interrupted: "–",
  error: "!",
} as const satisfies Record<Outcome, string>;

/** How many of the rows have each verdict. */
export function tally(rows: readonly RequirementResult[]): Readonly<Record<Verdict, number>> {
  const counts: Record<Verdict, number> = { fail: 0, warn: 0, inconclusive: 0, skip: 0, pass: 0 };
  for (const { verdict } of rows) counts[verdict]++;
  return counts;
}

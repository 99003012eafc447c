import type { Outcome, Verdict } from "../model/run.ts";

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

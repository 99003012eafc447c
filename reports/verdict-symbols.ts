import type { Outcome, RequirementResult, Verdict } from "../model/run.ts";

/** A sign for each verdict, so that no report needs colour to tell verdicts apart. */
export const signs = {
  fail: "✗",
  warn: "!",
  inconclusive: "?",
  skip: "–",
  pass: "✓",
} as const satisfies Record<Verdict, string>;

/** All verdicts, the most urgent first. */
export const verdicts = Object.keys(signs) as readonly Verdict[];

/** The word that follows the number of requirements that have a verdict: `3 failed`. */
export const counted = {
  fail: "failed",
  warn: "warned",
  inconclusive: "inconclusive",
  skip: "skipped",
  pass: "passed",
} as const satisfies Record<Verdict, string>;

export const outcomeSigns = {
  conformant: "✓",
  nonconformant: "✗",
  partial: "○",
  inconclusive: "?",
  interrupted: "–",
  error: "!",
} as const satisfies Record<Outcome, string>;

export function tally(
  rows: readonly Pick<RequirementResult, "verdict">[],
): Readonly<Record<Verdict, number>> {
  const counts: Record<Verdict, number> = { fail: 0, warn: 0, inconclusive: 0, skip: 0, pass: 0 };
  for (const { verdict } of rows) counts[verdict]++;
  return counts;
}

const codes = { red: 31, green: 32, yellow: 33, blue: 34, dim: 2 } as const;

export type Colour = keyof typeof codes;

/** Colours a text, or returns it as it is. */
export type Paint = (colour: Colour, text: string) => string;

/** A `Paint` for terminals (ANSI escape sequences). Without `color`, it changes nothing. */
export function painter(color: boolean): Paint {
  return (colour, text) => (color ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text);
}

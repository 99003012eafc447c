import type { RequirementResult, Verdict } from "../model/run.ts";

/** How many of the rows have each verdict. */
export function tally(rows: readonly RequirementResult[]): Readonly<Record<Verdict, number>> {
  const counts: Record<Verdict, number> = { fail: 0, warn: 0, inconclusive: 0, skip: 0, pass: 0 };
  for (const { verdict } of rows) counts[verdict]++;
  return counts;
}

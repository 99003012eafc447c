import type { RequirementResult, Verdict } from "../../model/run.ts";
import type { RequirementId } from "../../spec/catalogue.ts";

/** How a requirement differs from the last time, or that it fails as it did. */
export type Change = "fixed" | "broken" | "still failing" | "no verdict";

/** Results by requirement. */
export type Rows = ReadonlyMap<RequirementId, RequirementResult>;

/** The change of a requirement; undefined if there is nothing to say, for example because it was not checked. */
export function changeOf(before: Verdict | undefined, after: Verdict): Change | undefined {
  if (after === "fail") return before === "fail" ? "still failing" : "broken";
  if (before !== "fail") return undefined;
  return after === "pass" || after === "warn" ? "fixed" : after === "inconclusive" ? "no verdict" : undefined;
}

/** The rows with the newer results in their place. */
export const updatedRows = (before: Rows, newer: readonly RequirementResult[]): Rows =>
  new Map([...before, ...newer.filter(({ verdict }) => verdict !== "skip").map((row) => [row.id, row] as const)]);

import { catalogue, requirementIds, type Level, type RequirementId } from "../../spec/catalogue.ts";
import { causesOf } from "../conclusion/causes.ts";
import { rootsOf, withRoots } from "../conclusion/roots.ts";
import type { createWitness } from "../evidence/evidence.ts";
import { other } from "../mistake.ts";
import type { Finding, RequirementResult, Verdict } from "../run.ts";

/** The result of a requirement of the catalogue, with the given verdict. */
export function rowOf(
  id: RequirementId,
  verdict: Verdict,
  more: Partial<RequirementResult> = {},
): RequirementResult {
  const { area, level, statement, source } = catalogue[id];
  const row = { id, area, level, statement, source, asked: 1, verdict, findings: [], ...more };
  return verdict === "skip" ? { skippedBy: "selection", ...row } : row;
}

/** Results of the first requirements of a level, one for each verdict. */
export function rowsOfLevel(
  level: Level,
  ...verdicts: readonly Verdict[]
): readonly RequirementResult[] {
  const ids = requirementIds.filter((id) => catalogue[id].level === level);
  return verdicts.flatMap((verdict, i) => {
    const id = ids[i];
    return id === undefined ? [] : [rowOf(id, verdict)];
  });
}

/** A finding with short texts, changed by `more`. */
export function findingOf(more: Partial<Finding> = {}): Finding {
  const { operation = "", expected = "e", actual = "a" } = more;
  return {
    message: "m",
    expected,
    actual,
    mistake: other(operation, expected, actual),
    replay: "r",
    curl: "c",
    ...more,
  };
}

/** The causes of what these rows found, as a run concludes them from what it witnessed. */
export function causesFrom(
  rows: readonly RequirementResult[],
  witness: ReturnType<typeof createWitness>,
): ReturnType<typeof causesOf> {
  const result = witness.result();
  const roots = rootsOf(rows, result);
  return causesOf(withRoots(rows, roots), result, {}, roots);
}

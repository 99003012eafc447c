import type { GateRules } from "../run-options.ts";
import { plural } from "../plural.ts";
import type { RequirementResult } from "../run.ts";

/**
 * A sentence for each option that narrows a run: ``"`only: [AUTH-01]` in fxconform.config.yaml: 119
 * of 120 requirements were not checked"``.
 */
export function narrowedTexts(
  { narrowing = [], baseline, statement }: Pick<GateRules, "narrowing" | "baseline" | "statement">,
  requirements: readonly RequirementResult[],
): readonly string[] {
  const left = requirements.filter(({ skippedBy }) => skippedBy === "selection").length;
  const unchecked = `${left} of ${plural(requirements.length, "requirement")} were not checked`;
  const effects = {
    only: unchecked,
    exclude: unchecked,
    statement: `${plural(statement.length, "answer")} to open questions pinned`,
    baseline: `${plural(baseline.length, "known failure")} tolerated`,
  };
  return narrowing.map(
    ({ option, given, file }) => `\`${option}: ${given}\` in ${file}: ${effects[option]}`,
  );
}

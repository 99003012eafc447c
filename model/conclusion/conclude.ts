import { causesOf } from "./causes.ts";
import { gateOf, type GateRules } from "./gate.ts";
import { isComplete, judgedOf, outcomeOf, type RunEvidence } from "./outcome.ts";
import type { Observation, Run } from "../run.ts";

/** The members of `report.json` that are concluded from the rest: neither measured nor configured. */
export type Conclusion = Pick<Run, "outcome" | "summary" | "complete" | "judged" | "gate" | "causes" | "warnings">;

/** Concludes outcome, gate and causes from the verdicts, and warns of what the gate could not check. Runs, merged runs and traffic all use it. */
export const conclusionOf = (
  evidence: RunEvidence,
  observations: readonly Observation[],
  rules: GateRules,
): Conclusion => {
  const { requirements, interrupted, bailed = false } = evidence;
  const { outcome, summary } = outcomeOf(evidence);
  const complete = isComplete(evidence) && !interrupted && !bailed;
  const { warnings, ...gate } = gateOf({ ...evidence, observations, complete, outcome, summary }, rules);
  return {
    outcome,
    summary,
    complete,
    judged: judgedOf(requirements),
    gate,
    causes: causesOf(requirements),
    warnings,
  };
};

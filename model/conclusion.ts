import { defined } from "./defined.ts";
import { causesOf } from "./causes.ts";
import { gateOf, type GateRules } from "./gate.ts";
import { isComplete, judgedOf, outcomeOf, untestedBy, type RunEvidence } from "./outcome.ts";
import type { Observation, Run } from "./run.ts";

/** The members of `report.json` that are concluded from the rest: neither measured nor configured. */
export type Conclusion = Pick<Run, "outcome" | "summary" | "complete" | "judged" | "gate" | "causes">;

/** Concludes outcome, gate and causes from the verdicts. Runs, merged runs and traffic all use it. */
export const conclusionOf = (
  evidence: RunEvidence,
  observations: readonly Observation[],
  rules: GateRules,
): Conclusion => {
  const { requirements, profile, interrupted, bailed = false } = evidence;
  const { outcome, summary } = outcomeOf(evidence);
  const complete = isComplete(evidence) && !interrupted && !bailed;
  const untested = untestedBy(evidence);
  const { measured } = evidence;
  const gated = { requirements, observations, profile, complete, bailed, outcome, summary };
  return {
    outcome,
    summary,
    complete,
    judged: judgedOf(requirements),
    gate: gateOf({ ...gated, ...defined({ untested, measured }) }, rules),
    causes: causesOf(requirements),
  };
};

import { requirementIds, type RequirementId } from "../../spec/catalogue.ts";
import type { Draft, Judged } from "../evidence/store.ts";
import type { Witness } from "../evidence/witness.ts";
import { formatVersion, type Observation, type RequirementResult, type Run, type SkippedBy } from "../run.ts";
import type { RunOptions, GateRules } from "../run-options.ts";
import { causesOf, withWaitingReasons } from "./causes.ts";
import { gateOf } from "./gate.ts";
import { narrowedTexts } from "./narrowing.ts";
import { isComplete, judgedOf, outcomeOf, requirementResults } from "./outcome.ts";
import type { RequirementEvidence, RunEvidence } from "./outcome.ts";

/** What a run was about and how it ended, with the members of the run that its kind alone has. */
export interface Circumstances extends Partial<Omit<Run, "tool">> {
  readonly runId: string;
  /** Version of fxconform. */
  readonly version: string;
  readonly profile: Run["profile"];
  readonly target: Run["target"];
  readonly startedAt: string;
  readonly durationMs: number;
  /** The day on which tolerated failures may have expired, in UTC: `2026-01-31`. */
  readonly today: string;
  /** The requirements to judge, and what left out one of them that was asked so often. */
  readonly wanted: readonly RequirementId[];
  readonly skippedBy: (requirement: RequirementId, asked: number) => SkippedBy | undefined;
  /** Why the run ended before it had checked everything. */
  readonly left?: string | undefined;
  /** Milliseconds that the scenarios of a requirement took. */
  readonly took?: ReadonlyMap<RequirementId, number>;
  readonly end: Omit<RunEvidence, "requirements" | "profile" | "latency">;
  /** Requirements whose findings are warnings, whatever their level. @defaultValue none */
  readonly isLess?: (requirement: RequirementId) => boolean;
}

/** The run as `report.json` has it, with all that follows from what was found. Pure. */
export function conclude(
  draft: Pick<Draft, "judged" | "observations" | "latency" | "exchanges" | "witness">,
  circumstances: Circumstances,
  rules: Omit<GateRules, "today"> & Pick<RunOptions, "selected" | "given">,
): Run {
  const { wanted, skippedBy, left, took, end, isLess, version, today, runId, ...own } = circumstances;
  const { observations, exchanges } = draft;
  const { latency = draft.latency, warnings = [], profile } = own;
  const evidenceOf = (id: RequirementId): RequirementEvidence => {
    const { inconclusive, ...shown } = draft.judged.get(id) ?? notJudged;
    return {
      ...shown,
      inconclusive: left === undefined ? inconclusive : [...inconclusive, { reason: left, cutShort: false }],
      tookMs: took && Math.round(took.get(id) ?? 0),
      skippedBy: wanted.includes(id) ? skippedBy(id, shown.asked) : "selection",
    };
  };
  const evidence = new Map(requirementIds.map((id) => [id, evidenceOf(id)]));
  const requirements = requirementResults(evidence).map((row): RequirementResult =>
    row.verdict === "fail" && isLess?.(row.id) === true ? { ...row, level: "SHOULD", verdict: "warn" } : row,
  );
  const scope = { profile, requirements, latency, selection: rules.selected };
  const narrowed = narrowedTexts(rules, requirements);
  const conclusion = conclusionOf({ ...scope, ...end }, observations, { ...rules, today }, draft.witness);
  const unmeasured = { seed: 0, runs: 0, requests: 0, peakInFlight: 0 };
  const found = { observations, latency, exchanges, created: [], createdCounts: {}, withheld: [] };
  return {
    formatVersion,
    tool: { name: "fxconform", version },
    specification: { version: "beta" },
    runId,
    ...unmeasured,
    ...found,
    ...own,
    ...scope,
    ...conclusion,
    ...(narrowed.length === 0 ? {} : { narrowed }),
    settings: rules.given,
    warnings: [...warnings, ...conclusion.warnings],
  };
}

const notJudged: Judged = { asked: 0, findings: [], inconclusive: [] };

/** The members of `report.json` that are concluded from the rest: neither measured nor configured. */
export type Conclusion = Pick<
  Run,
  "requirements" | "outcome" | "summary" | "complete" | "judged" | "gate" | "causes" | "warnings"
>;

/** Concludes outcome, gate and causes from the verdicts, and warns of what the gate could not check. Runs, merged runs and traffic all use it. */
export const conclusionOf = (
  found: RunEvidence,
  observations: readonly Observation[],
  rules: GateRules,
  witness?: Witness,
): Conclusion => {
  const causes = causesOf(found.requirements, witness, found);
  const requirements = withWaitingReasons(found.requirements, causes);
  const mistakes = causes.filter(({ level }) => level === "MUST").length;
  const evidence = { ...found, requirements, mistakes };
  const { interrupted, bailed = false } = evidence;
  const { outcome, summary } = outcomeOf(evidence);
  const complete = isComplete(evidence) && !interrupted && !bailed;
  const { warnings, ...gate } = gateOf({ ...evidence, observations, complete, outcome, summary }, rules);
  return {
    requirements,
    outcome,
    summary,
    complete,
    judged: judgedOf(requirements),
    gate,
    causes,
    warnings,
  };
};

import { catalogue, requirementIds, type Level, type RequirementId } from "../spec/catalogue.ts";
import { operationTitle, type OperationName } from "../spec/operations.ts";
import type { QuestionId } from "../spec/questions.ts";
import type { Finding, Observation, Outcome, RequirementResult, Verdict } from "./run.ts";

/** All that a run found out about one requirement. */
export interface RequirementEvidence {
  readonly asked: number;
  /** Milliseconds that its scenarios took. */
  readonly tookMs?: number;
  readonly findings: readonly Finding[];
  /** Reasons why something could not be told; `cutShort` where that outweighs what held. */
  readonly inconclusive: readonly { readonly reason: string; readonly cutShort: boolean }[];
  /** Why it was left out; absent where it was selected. */
  readonly leftOut?: string;
}

/** What decides over the run as a whole. */
export interface RunEvidence {
  readonly requirements: readonly RequirementResult[];
  readonly interrupted: boolean;
  /** An error of ours: a short text. */
  readonly error?: string;
  /** Why the target could not be tested. */
  readonly untestable?: string;
  /** Operations that were asked with valid requests and never once answered with success. */
  readonly neverSucceeded: readonly OperationName[];
}

/** What the user makes of the outcome. */
export interface GateRules {
  readonly strict: boolean;
  readonly statement: readonly { readonly question: QuestionId; readonly answers: readonly string[] }[];
  readonly baseline: readonly {
    readonly requirement: RequirementId;
    readonly reason: string;
    readonly expires: string;
  }[];
  /** `YYYY-MM-DD` in UTC. */
  readonly today: string;
}

/** Findings to requirements. */
export const requirementResults = (
  evidence: ReadonlyMap<RequirementId, RequirementEvidence>,
): readonly RequirementResult[] =>
  requirementIds.map((id) => {
    const { area, level, statement, source } = catalogue[id];
    const found = evidence.get(id) ?? { asked: 0, findings: [], inconclusive: [] };
    const { verdict, reason } = verdictOf(level, found);
    return {
      id,
      area,
      level,
      statement,
      source,
      asked: verdict === "skip" ? 0 : found.asked,
      verdict,
      ...(verdict === "skip" || found.tookMs === undefined ? {} : { tookMs: found.tookMs }),
      ...(reason === undefined ? {} : { reason }),
      findings: verdict === "skip" ? [] : found.findings,
    };
  });

/** A requirement's verdict: a violation outweighs all, a pass needs something that could have failed. */
const verdictOf = (level: Level, found: RequirementEvidence): { verdict: Verdict; reason?: string } => {
  if (found.leftOut !== undefined) return { verdict: "skip", reason: found.leftOut };
  if (found.findings.length > 0) return { verdict: level === "MUST" ? "fail" : "warn" };
  const cut = found.inconclusive.find(({ cutShort }) => cutShort);
  if (cut !== undefined) return { verdict: "inconclusive", reason: cut.reason };
  if (found.asked > 0) return { verdict: "pass" };
  const reason = found.inconclusive[0]?.reason ?? "no answer of this target showed what the requirement speaks of";
  return { verdict: "inconclusive", reason };
};

/** Requirements to the outcome, with the sentence that says why. */
export const outcomeOf = (run: RunEvidence): { outcome: Outcome; summary: string } => {
  if (run.error !== undefined) return { outcome: "error", summary: `The suite itself failed: ${run.error}` };
  if (run.interrupted)
    return { outcome: "interrupted", summary: "The run was interrupted; what was judged until then is below." };
  const failed = count(run.requirements, "fail");
  if (failed > 0) {
    return {
      outcome: "nonconformant",
      summary: `${failed} of the MUST requirements ${failed === 1 ? "is" : "are"} broken.`,
    };
  }
  const untested = untestedBy(run);
  if (untested !== undefined) return { outcome: "inconclusive", summary: untested };
  const passed = count(run.requirements, "pass");
  if (passed === 0 && count(run.requirements, "warn") === 0) {
    return { outcome: "inconclusive", summary: "Not one of the selected requirements could be judged." };
  }
  return { outcome: "conformant", summary: `${passed} requirements hold and no MUST is broken.` };
};

/** Why the target as a whole was not tested, whatever failed besides; absent where it was. */
export const untestedBy = (run: Pick<RunEvidence, "untestable" | "neverSucceeded">): string | undefined => {
  if (run.untestable !== undefined) return `The target could not be tested: ${run.untestable}`;
  if (run.neverSucceeded.length === 0) return undefined;
  return `No valid request was ever answered with success by ${run.neverSucceeded.map(operationTitle).join(", ")}.`;
};

/**
 * Whether the gate passes, and every reason why it does not. `untested` says why the target as a whole was not tested:
 * known failures are then not all that is wrong.
 */
export const gateOf = (
  outcome: Outcome,
  summary: string,
  untested: string | undefined,
  requirements: readonly RequirementResult[],
  observations: readonly Observation[],
  rules: GateRules,
): { pass: boolean; reasons: readonly string[] } => {
  const reasons: string[] = [];
  if (outcome === "error" || outcome === "interrupted" || outcome === "inconclusive") reasons.push(summary);
  else if (untested !== undefined) reasons.push(untested);
  for (const { id, verdict } of requirements) {
    const known = rules.baseline.find(({ requirement }) => requirement === id);
    if (verdict === "fail" && known === undefined) reasons.push(`${id} failed`);
    if (verdict === "fail" && known !== undefined && known.expires < rules.today) {
      reasons.push(`${id} failed, and its entry in the baseline expired on ${known.expires}`);
    }
    if (verdict === "pass" && known !== undefined) reasons.push(`${id} passes: take it out of the baseline`);
    if (rules.strict && verdict === "warn" && known === undefined) reasons.push(`${id} warns, and the run is strict`);
    if (rules.strict && verdict === "warn" && known !== undefined && known.expires < rules.today) {
      reasons.push(`${id} warns, the run is strict, and its entry in the baseline expired on ${known.expires}`);
    }
    if (rules.strict && verdict === "inconclusive") reasons.push(`${id} is inconclusive, and the run is strict`);
  }
  for (const { question, answers } of rules.statement)
    reasons.push(...pinned(question, answers, observations, rules.strict));
  return { pass: reasons.length === 0, reasons };
};

const pinned = (
  question: QuestionId,
  answers: readonly string[],
  observations: readonly Observation[],
  strict: boolean,
): readonly string[] => {
  const observed = observations.find(({ id }) => id === question)?.answers ?? [];
  if (observed.length === 0) return strict ? [`${question} is pinned, and was not observed`] : [];
  return observed
    .filter(({ answer }) => !answers.includes(answer))
    .map(
      ({ case: inCase, answer }) =>
        `${question}, ${inCase}, is pinned to ${answers.map((a) => JSON.stringify(a)).join(" or ")}, and was ${JSON.stringify(answer)}`,
    );
};

const count = (requirements: readonly RequirementResult[], verdict: Verdict): number =>
  requirements.filter((requirement) => requirement.verdict === verdict).length;

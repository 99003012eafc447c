import { catalogue, requirementIds, type Level, type RequirementId } from "../../spec/catalogue.ts";
import type { Evidence, JudgedRequirement, Witness } from "../evidence/evidence.ts";
import {
  formatVersion,
  type Lack,
  type NoVerdict,
  type Observation,
  type RequirementResult,
  type Run,
  type SkippedBy,
} from "../run.ts";
import type { OperationName } from "../../spec/operations.ts";
import { mayLack } from "../../spec/needs.ts";
import { defined } from "../defined.ts";
import type { RunOptions, GateRules } from "../run-options.ts";
import { causesOf, withWaitingReasons } from "./causes.ts";
import { gateOf, narrowedTexts } from "./gate.ts";
import { rootsOf, withRoots } from "./roots.ts";
import { isComplete, judgedOf, outcomeOf, type RunEvidence } from "./outcome.ts";

/** What a run was about and how it ended, and the members that only some kinds of run have. */
export interface Circumstances extends Partial<Omit<Run, "tool">> {
  readonly runId: string;
  /** Version of fxconform. */
  readonly version: string;
  readonly profile: Run["profile"];
  readonly target: Run["target"];
  readonly startedAt: string;
  readonly durationMs: number;
  /** The day, in UTC, that decides which entries of the baseline have expired: `2026-01-31`. */
  readonly today: string;
  /**
   * The requirements to judge, and a function that says what left out one of them although it was
   * to be judged. `asked`: how often it was judged. Undefined if nothing left it out.
   */
  readonly wanted: readonly RequirementId[];
  readonly skippedBy: (requirement: RequirementId, asked: number) => SkippedBy | undefined;
  /** Why the run ended before it had checked everything. */
  readonly left?: string | undefined;
  /** Milliseconds that the scenarios of each requirement took. */
  readonly took?: ReadonlyMap<RequirementId, number>;
  readonly end: Omit<RunEvidence, "requirements" | "profile" | "latency">;
  /** Whether findings of a requirement are only warnings, even of a MUST. @defaultValue none */
  readonly isLess?: (requirement: RequirementId) => boolean;
}

/**
 * The run as `report.json` has it, with everything that follows from what was found. The same
 * function concludes runs of servers, recordings and documents. It is a pure
 * function.
 */
export function conclude(
  draft: Pick<
    Evidence,
    "judged" | "observations" | "latency" | "statuses" | "exchanges" | "witness"
  >,
  circumstances: Circumstances,
  rules: Omit<GateRules, "today"> & Pick<RunOptions, "selected" | "given">,
): Run {
  const { wanted, skippedBy, left, took, end, isLess, ...facts } = circumstances;
  const { version, today, runId, ...own } = facts;
  const { observations, exchanges, statuses = [] } = draft;
  const { latency = draft.latency, warnings = [], profile } = own;
  const evidenceOf = (id: RequirementId): RequirementEvidence => {
    const { inconclusive, lack, ...shown } = draft.judged.get(id) ?? notJudged;
    return {
      ...shown,
      lack: left === undefined ? lack : undefined,
      inconclusive:
        left === undefined ? inconclusive : [...inconclusive, { reason: left, cutShort: false }],
      tookMs: took && Math.round(took.get(id) ?? 0),
      skippedBy: wanted.includes(id) ? skippedBy(id, shown.asked) : "selection",
    };
  };
  const evidence = new Map(requirementIds.map((id) => [id, evidenceOf(id)]));
  const requirements = requirementResults(evidence).map((row): RequirementResult =>
    row.verdict === "fail" && isLess?.(row.id) === true
      ? { ...row, level: "SHOULD", verdict: "warn" }
      : row,
  );
  const scope = { profile, requirements, latency, selection: rules.selected };
  const narrowed = narrowedTexts(rules, requirements);
  const conclusion = conclusionOf(
    { ...scope, ...end },
    observations,
    { ...rules, today },
    draft.witness,
  );
  const unmeasured = { seed: 0, runs: 0, requests: 0, peakInFlight: 0 };
  const found = {
    observations,
    latency,
    ...(statuses.length > 0 && { statuses }),
    exchanges,
    created: [],
    createdCounts: {},
    withheld: [],
  };
  // Of members that stand in several of these, the later one wins: what a kind of run knows of
  // itself (`own`) over what is empty otherwise, and the conclusion, which joins findings and names
  // what waits for a mistake, over the requirements of `scope`.
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

const notJudged: JudgedRequirement = { asked: 0, findings: [], inconclusive: [] };

/**
 * Concludes outcome, gate and causes from the verdicts, and adds the warnings of the gate: the members
 * of `report.json` that are neither measured nor configured.
 */
export function conclusionOf(
  found: RunEvidence,
  observations: readonly Observation[],
  rules: GateRules,
  witness?: Witness,
) {
  const roots = rootsOf(found.requirements, witness);
  const rows = withRoots(found.requirements, roots);
  const causes = causesOf(rows, witness, found, roots);
  const requirements = withWaitingReasons(rows, causes);
  const mistakes = causes.filter(({ level }) => level === "MUST").length;
  const evidence = { ...found, requirements, mistakes };
  const { outcome, summary } = outcomeOf(evidence);
  const complete = isComplete(evidence) && !evidence.interrupted;
  const { warnings, ...gate } = gateOf(
    { ...evidence, observations, complete, outcome, summary },
    rules,
  );
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
}

export interface RequirementEvidence
  extends JudgedRequirement, Pick<RequirementResult, "tookMs" | "skippedBy"> {}

/**
 * The result of every requirement of the catalogue, in the order of the catalogue. A requirement
 * without evidence is inconclusive.
 */
export function requirementResults(
  evidence: ReadonlyMap<RequirementId, RequirementEvidence>,
): readonly RequirementResult[] {
  const isPart = [...evidence.values()].some(({ skippedBy }) => skippedBy !== undefined);
  const said = saidAt([...evidence.values()].flatMap(({ inconclusive }) => inconclusive));
  return requirementIds.map((id): RequirementResult => {
    const { area, level, statement, source } = catalogue[id];
    const row = { id, area, level, statement, source };
    const found: RequirementEvidence = evidence.get(id) ?? notJudged;
    const { skippedBy, asked, findings, inconclusive: _, lack: __, ...more } = found;
    if (skippedBy !== undefined) {
      return {
        ...row,
        asked: 0,
        verdict: "skip",
        reason: skipReasons[skippedBy],
        skippedBy,
        findings: [],
      };
    }
    return {
      ...row,
      asked,
      ...allowed(id, verdictOf(level, found, said) ?? without({ reason: neverShown(id, isPart) })),
      ...more,
      findings,
    };
  });
}

/**
 * Why a requirement has no verdict if no rule said anything of it. `isPart`: the run left other
 * requirements out.
 */
function neverShown(id: RequirementId, isPart: boolean): string {
  return isPart
    ? "this run got no response that could show it. Run all checks (--profile full, without --only and --exclude)."
    : `the server never sent a response that could show it. What that takes: fxconform explain ${id}`;
}

const skipReasons = {
  selection: "left out by --only or --exclude",
  profile: "left out by the profile smoke, which creates nothing",
  traffic: "the traffic did not show it",
  contract: "the document does not show it",
} as const satisfies Record<SkippedBy, string>;

type Concluded = Pick<RequirementResult, "verdict" | "reason" | "gap" | "blockedAt">;

/** A gap that the row does not name leaves nothing open that may be (INT-57): it is none. */
function allowed(id: RequirementId, concluded: Concluded): Concluded {
  const { gap, ...others } = concluded;
  return gap === undefined || mayLack(id, gap) ? concluded : others;
}

type ReasonsAt = ReadonlyMap<OperationName, NoVerdict>;

/** What was said first of each operation whose responses did not let a scenario continue. */
function saidAt(reasons: readonly NoVerdict[]): ReasonsAt {
  return new Map(
    reasons
      .toReversed()
      .flatMap((one) => (one.blockedAt === undefined ? [] : [[one.blockedAt, one]])),
  );
}

/**
 * The verdict that follows from the evidence. A violation fails or warns. Without one, a reason
 * with `cutShort` leaves no verdict, and a pass needs at least one check that could have failed.
 * Undefined if nothing says why there is none.
 */
function verdictOf(
  level: Level,
  found: RequirementEvidence,
  said: ReasonsAt,
): Concluded | undefined {
  const { findings, inconclusive, asked, lack } = found;
  if (findings.length > 0) return { verdict: level === "MUST" ? "fail" : "warn" };
  const cut = inconclusive.filter(({ cutShort }) => cutShort);
  if (cut.length === 0 && asked > 0) return { verdict: "pass" };
  // That good requests never succeed explains what cut a check short, too.
  const isBlocked = lack !== undefined && lack.gap === undefined;
  const reason = cut.length > 0 && !isBlocked ? deciding(cut) : reasonFor(inconclusive, lack, said);
  return reason && without(reason);
}

/**
 * Why a requirement has no verdict, by the first need that the run did not meet: in the words of the
 * server, if its responses at that operation are why. A gap, which is nobody's fault, never replaces
 * a reason without one.
 */
function reasonFor(
  own: readonly NoVerdict[],
  lack: Lack | undefined,
  said: ReasonsAt,
): Lack | undefined {
  if (lack === undefined) return deciding(own);
  const { blockedAt, gap } = lack;
  const here = deciding(
    own.filter((one) => blockedAt !== undefined && one.blockedAt === blockedAt),
  );
  const words = here ?? (gap === undefined && blockedAt ? said.get(blockedAt) : undefined);
  if (words !== undefined) return { ...lack, reason: words.reason, gap: gap && words.gap };
  const others = own.filter((one) => one.blockedAt === undefined || one.gap === undefined);
  return (gap && deciding(others)) ?? lack;
}

/**
 * The reason for no verdict that a report names: the first without a gap, or else the first of all,
 * as a gap is nobody's fault. Undefined if there is no reason.
 */
function deciding(reasons: readonly NoVerdict[]): NoVerdict | undefined {
  return reasons.find(({ gap }) => gap === undefined) ?? reasons[0];
}

function without({ reason, gap, blockedAt }: Lack): Concluded {
  return { verdict: "inconclusive", reason, ...defined({ gap, blockedAt }) };
}

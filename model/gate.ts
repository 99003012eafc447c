import type { RequirementId } from "../spec/catalogue.ts";
import type { QuestionId } from "../spec/questions.ts";
import type { DatedRequirement } from "../spec/versions.ts";
import { budgetResults, type Budgets, type Measured } from "./budgets.ts";
import { causeClassOf } from "./causes.ts";
import { plural } from "./plural.ts";
import type {
  CauseClass,
  Gate,
  GateReason,
  GateReasonKind,
  Observation,
  Outcome,
  RequirementResult,
  Run,
  ToleratedFailure,
} from "./run.ts";

/** A pinned answer of a statement (ISO/IEC 9646: implementation conformance statement). */
export interface PinnedAnswer {
  readonly question: QuestionId;
  /** The case that it holds for; absent: every case of the question. */
  readonly case?: string;
  /** The answers that may be observed, and no others. */
  readonly answers: readonly string[];
}

/** A failure that is known, why, and until when it is tolerated. */
export interface KnownFailure {
  readonly requirement: RequirementId;
  readonly reason: string;
  /** Last day on which it is tolerated, which ends in UTC: `YYYY-MM-DD`. */
  readonly expires: string;
  /** The cause that is known. Another cause is not tolerated; absent: any is. */
  readonly finding?: CauseClass;
}

/** What the user demands of a run. */
export interface GateRules {
  /** Warnings and inconclusive requirements fail the gate. */
  readonly strict: boolean;
  readonly statement: readonly PinnedAnswer[];
  readonly baseline: readonly KnownFailure[];
  /** Requirements that are newer than the catalogue that the user keeps to: they do not fail the gate. */
  readonly newer?: readonly DatedRequirement[];
  readonly budgets?: Budgets;
  /** `YYYY-MM-DD` in UTC. */
  readonly today: string;
}

/** What the gate reads of a run. */
export interface GatedRun extends Pick<Run, "requirements" | "observations" | "profile" | "complete" | "summary"> {
  readonly outcome: Outcome;
  /** `--bail` ended the run: what passes may not have been checked in full. */
  readonly bailed?: boolean;
  /** Why the target as a whole was not tested: known failures are then not all that is wrong. */
  readonly untested?: string;
  readonly measured?: Measured;
}

/** Whether the gate passes, every reason why it does not, and which known failures it tolerates. */
export const gateOf = (run: GatedRun, rules: GateRules): Gate => {
  const rows = run.requirements.map((row) => requirementGate(row, run, rules));
  const reasons = [
    ...runReasons(run),
    ...rows.flatMap((row) => row.reasons),
    ...rules.statement.flatMap((pin) => pinReasons(pin, run, rules.strict)),
    ...budgetReasons(run, rules),
  ];
  return { pass: reasons.length === 0, reasons, tolerated: rows.flatMap((row) => row.tolerated) };
};

const runReasons = ({ outcome, summary, untested }: GatedRun): readonly GateReason[] => {
  if (outcome === "error" || outcome === "interrupted") return [{ kind: outcome, text: summary }];
  if (outcome === "inconclusive") return [{ kind: "nothing-tested", text: summary }];
  return untested === undefined ? [] : [{ kind: "nothing-tested", text: untested }];
};

/** A target that was not tested was not measured either. */
const budgetReasons = ({ outcome, measured }: GatedRun, { budgets, strict }: GateRules): readonly GateReason[] => {
  if (budgets === undefined || measured === undefined || isUntested(outcome)) return [];
  return budgetResults(measured, budgets)
    .filter(({ exceeded }) => exceeded || strict)
    .map(({ reason }) => reason);
};

const isUntested = (outcome: Outcome): boolean =>
  outcome === "error" || outcome === "interrupted" || outcome === "inconclusive";

interface RowGate {
  readonly reasons: readonly GateReason[];
  readonly tolerated: readonly ToleratedFailure[];
}

const requirementGate = (row: RequirementResult, run: GatedRun, rules: GateRules): RowGate => {
  const { strict, baseline, newer = [], today } = rules;
  const { id, verdict } = row;
  const since = newer.find(({ requirement }) => requirement === id)?.since;
  const because = (kind: GateReasonKind, text: string): RowGate =>
    since === undefined || kind === "known-failure-passes"
      ? { reasons: [{ kind, requirement: id, text: `${id} ${text}` }], tolerated: [] }
      : { reasons: [], tolerated: [{ requirement: id, reason: `new in version ${since} of the catalogue`, since }] };
  const known = baseline.find(({ requirement }) => requirement === id);
  if (verdict === "inconclusive" && strict)
    return because("strict-inconclusive", "has no verdict, and the run is strict");
  // The profile smoke and a run that --bail ended see a part of the traffic: what passes there may still fail elsewhere.
  if (verdict === "pass" && known !== undefined && run.profile === "full" && run.bailed !== true)
    return because("known-failure-passes", "passes: remove it from the baseline");
  if (verdict !== "fail" && !(verdict === "warn" && strict)) return { reasons: [], tolerated: [] };
  if (known === undefined) {
    return verdict === "fail"
      ? because("must-failed", "failed")
      : because("strict-warning", "has a warning, and the run is strict");
  }
  if (known.expires < today) {
    return because("known-failure-expired", `failed, and its entry in the baseline expired on ${known.expires}`);
  }
  if (known.finding !== undefined && !row.findings.some((finding) => isSame(causeClassOf(finding), known.finding))) {
    return because("known-failure-changed", "failed for another cause than the one in the baseline");
  }
  const { reason, expires } = known;
  return { reasons: [], tolerated: [{ requirement: id, reason, expires }] };
};

const isSame = (one: CauseClass, other: CauseClass | undefined): boolean =>
  one.expected === other?.expected && one.actual === other.actual;

const pinReasons = (pin: PinnedAnswer, run: GatedRun, strict: boolean): readonly GateReason[] => {
  const { question, answers } = pin;
  const observed = answersTo(pin, run.observations);
  const place = (inCase: string | undefined): string => (inCase === undefined ? question : `${question}, ${inCase}`);
  if (observed.length === 0) {
    const text = `${place(pin.case)}: pinned, not observed`;
    return strict && run.complete ? [{ kind: "statement-not-observed", question, text }] : [];
  }
  return observed
    .filter(({ answer }) => !answers.includes(answer))
    .map(({ case: inCase, answer }) => ({
      kind: "statement",
      question,
      text: `${place(inCase)}: pinned ${answers.join(" or ")}, found ${answer}`,
    }));
};

const answersTo = (pin: PinnedAnswer, observations: readonly Observation[]): Observation["answers"] =>
  (observations.find(({ id }) => id === pin.question)?.answers ?? []).filter(
    (one) => pin.case === undefined || one.case === pin.case,
  );

/** A warning for each budget that could not be checked; with `strict` that is a reason of the gate. */
export const uncheckedBudgets = (
  outcome: Outcome,
  measured: Measured,
  { budgets, strict }: Pick<GateRules, "budgets" | "strict">,
): readonly string[] =>
  budgets === undefined || strict || isUntested(outcome)
    ? []
    : budgetResults(measured, budgets)
        .filter(({ exceeded }) => !exceeded)
        .map(({ reason }) => `Not checked: ${reason.text}.`);

/** Days before its end from which an entry of the baseline is pointed out. */
const notice = 14;

/** A warning for each tolerated failure whose entry expires within two weeks. */
export const expiryWarnings = ({ tolerated }: Pick<Gate, "tolerated">, today: string): readonly string[] =>
  tolerated.flatMap(({ requirement, expires }) => {
    if (expires === undefined) return [];
    const days = Math.round((Date.parse(expires) - Date.parse(today)) / 86_400_000);
    if (days > notice) return [];
    const when = days === 0 ? "today" : `in ${plural(days, "day")}`;
    return [`The entry for ${requirement} in the baseline expires ${when}, at the end of ${expires} in UTC.`];
  });

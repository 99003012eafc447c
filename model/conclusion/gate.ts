import { isKnown } from "../mistake.ts";
import { hasVerdict, notJudged, type RunEvidence } from "./outcome.ts";
import { plural } from "../plural.ts";
import type {
  Gate,
  GateReason,
  GateReasonKind,
  Observation,
  RequirementResult,
  Run,
  ToleratedFailure,
} from "../run.ts";
import { leastResponses, type GateRules, type PinnedAnswer } from "../run-options.ts";

export type GatedRun = RunEvidence & Pick<Run, "observations" | "complete" | "outcome" | "summary">;

/**
 * The gate of a run: whether it passes, every reason why it does not, the failures that it
 * tolerates, and warnings: of baseline entries that expire soon, and of latency
 * budgets that were not checked.
 */
export function gateOf(
  run: GatedRun,
  rules: GateRules,
): Gate & { readonly warnings: readonly string[] } {
  const budgets = budgetResults(run, rules);
  const open = isUntested(run) || run.untested !== undefined ? [] : notJudged(run);
  const rows = run.requirements.map((row) =>
    requirementGate(row, open.includes(row), run.profile, rules),
  );
  const reasons = [
    ...runReasons(run),
    ...rows.flatMap((row) => row.reasons),
    ...(rules.complete === true ? incompleteReasons(run) : []),
    ...rules.statement.flatMap((pin) => pinReasons(pin, run, rules.strict)),
    ...budgets.filter(({ exceeded }) => exceeded || rules.strict).map(({ reason }) => reason),
  ];
  const tolerated = rows.flatMap((row) => row.tolerated);
  const unchecked = rules.strict ? [] : budgets.filter(({ exceeded }) => !exceeded);
  const warnings = [
    ...tolerated.flatMap((failure) => expiryWarnings(failure, rules.today)),
    ...unchecked.map(({ reason }) => `Not checked: ${reason.text}.`),
  ];
  return { pass: reasons.length === 0, reasons, tolerated, warnings };
}

function runReasons(run: GatedRun): readonly GateReason[] {
  const { outcome, summary, untested } = run;
  if (outcome === "error" || outcome === "interrupted") return [{ kind: outcome, text: summary }];
  if (isUntested(run)) return [{ kind: "nothing-tested", text: summary }];
  return untested === undefined ? [] : [{ kind: "nothing-tested", text: untested }];
}

/**
 * The reasons why the gate fails under `--complete`, which forbids that a selection or
 * `--max-bad-credentials` leaves requirements out.
 */
function incompleteReasons({ requirements }: GatedRun): readonly GateReason[] {
  const left: readonly (readonly [by: string, rows: readonly RequirementResult[]])[] = [
    ["the selection", requirements.filter(({ skippedBy }) => skippedBy === "selection")],
    ["--max-bad-credentials", requirements.filter(({ gap }) => gap === "bad credentials")],
  ];
  return left
    .filter(([, rows]) => rows.length > 0)
    .map(([by, { length }]) => ({
      kind: "incomplete",
      text: `${length} of ${plural(requirements.length, "requirement")} left out by ${by}, and --complete is given`,
    }));
}

/**
 * Whether a run says nothing of the server as a whole. If so, its latency is not compared with
 * budgets either.
 */
function isUntested(run: GatedRun): boolean {
  const { outcome, untested } = run;
  if (outcome === "error" || outcome === "interrupted") return true;
  return outcome === "inconclusive" && (untested !== undefined || !hasVerdict(run));
}

interface RowGate {
  readonly reasons: readonly GateReason[];
  readonly tolerated: readonly ToleratedFailure[];
}

/** `isOpen`: it is a MUST that has no verdict and must have one, as it has no gap (INT-57). */
function requirementGate(
  { id, verdict, reason = "no reason was recorded", findings }: RequirementResult,
  isOpen: boolean,
  profile: Run["profile"],
  { strict, baseline, today }: GateRules,
): RowGate {
  const because = (kind: GateReasonKind, text: string): RowGate => ({
    reasons: [{ kind, requirement: id, text: `${id} ${text}` }],
    tolerated: [],
  });
  if (isOpen) return because("not-judged", `has no verdict: ${reason}`);
  const known = baseline.find(({ requirement }) => requirement === id);
  if (verdict === "inconclusive" && strict)
    return because("strict-inconclusive", "has no verdict, and the run is strict");
  // A smoke run checks a requirement only in part: it may pass here and fail in a full run.
  if (verdict === "pass" && known !== undefined && profile === "full")
    return because("known-failure-passes", "passes: remove it from the baseline");
  if (verdict !== "fail" && !(verdict === "warn" && strict)) return { reasons: [], tolerated: [] };
  if (known === undefined) {
    return verdict === "fail"
      ? because("must-failed", "failed")
      : because("strict-warning", "has a warning, and the run is strict");
  }
  if (known.expires < today) {
    return because(
      "known-failure-expired",
      `failed, and its entry in the baseline expired on ${known.expires}`,
    );
  }
  const words = known.finding;
  if (words !== undefined && !findings.some((finding) => isKnown(finding, words))) {
    return because(
      "known-failure-changed",
      "failed for another cause than the one in the baseline",
    );
  }
  const { expires } = known;
  return { reasons: [], tolerated: [{ requirement: id, reason: known.reason, expires }] };
}

function pinReasons(pin: PinnedAnswer, run: GatedRun, strict: boolean): readonly GateReason[] {
  const { question, answers } = pin;
  const observed = answersTo(pin, run.observations);
  const place = (inCase: string | undefined): string =>
    inCase === undefined ? question : `${question}, ${inCase}`;
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
}

function answersTo(
  pin: PinnedAnswer,
  observations: readonly Observation[],
): Observation["answers"] {
  return (observations.find(({ id }) => id === pin.question)?.answers ?? []).filter((one) =>
    pin.case === undefined ? pin.except?.includes(one.case) !== true : one.case === pin.case,
  );
}

/** A warning points out a baseline entry from this many days before it expires. */
const notice = 14;

/** Warns if the baseline entry of a tolerated failure expires within `notice` days. */
function expiryWarnings(
  { requirement, expires }: ToleratedFailure,
  today: string,
): readonly string[] {
  const days = daysFrom(today, expires);
  if (days > notice) return [];
  const when = days === 0 ? "today" : `in ${plural(days, "day")}`;
  return [
    `The entry for ${requirement} in the baseline expires ${when}, at the end of ${expires} in UTC.`,
  ];
}

function daysFrom(today: string, day: string): number {
  return Math.round((Date.parse(day) - Date.parse(today)) / 86_400_000);
}

/**
 * A latency budget that a run did not meet. `exceeded`: the gate fails; otherwise the budget could
 * not be checked.
 */
interface BudgetResult {
  readonly exceeded: boolean;
  readonly reason: GateReason;
}

/**
 * The budgets that are exceeded or could not be checked. None if the target was not tested, as
 * nothing was measured then.
 */
function budgetResults(run: GatedRun, { budgets = [] }: GateRules): readonly BudgetResult[] {
  const { latency } = run;
  if (latency === undefined || isUntested(run)) return [];
  return budgets.flatMap(({ operation, statistic, milliseconds }): readonly BudgetResult[] => {
    const row = latency.find((one) => one.operation === operation);
    const count = row?.count ?? 0;
    const exceeded = row !== undefined && count >= leastResponses;
    if (exceeded && row[statistic] <= milliseconds) return [];
    const text = exceeded
      ? `${statistic} is ${row[statistic]} ms over ${count} responses; --max-latency allows ${milliseconds} ms`
      : `${plural(count, "response")}, and --max-latency needs at least ${leastResponses}`;
    return [{ exceeded, reason: { kind: "latency", text: `${operation}: ${text}` } }];
  });
}

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

import { defined } from "../defined.ts";
import { conclude, type Circumstances } from "./conclude.ts";
import type { JudgedRequirement } from "../evidence/evidence.ts";
import type { GateRules } from "../run-options.ts";
import { byAnswer, inOrder, createdKinds } from "../run.ts";
import type { Observation, RequirementResult, Run } from "../run.ts";
import { untestedIn, type RunEvidence } from "./outcome.ts";
import { joinedLatencies } from "../evidence/latency.ts";
import { joinedStatuses } from "../evidence/statuses.ts";
import { questionIds } from "../../spec/questions.ts";
import { groups } from "../groups.ts";

/**
 * Joins the conclusions of several runs of one target. Whether a baseline entry has expired is
 * decided by the day on which the first run began.
 */
export function mergedRun(runs: readonly [Run, ...Run[]], rules: Omit<GateRules, "today">): Run {
  const {
    coverage: _____,
    sent: ___,
    badCredentials: ____,
    sinceLast: _,
    selection,
    ...first
  } = runs[0];
  const [startedAt = first.startedAt] = runs.map((run) => run.startedAt).sort(inOrder);
  const ends = runs.map((one) => Date.parse(one.startedAt) + one.durationMs);
  const draft = joinedDraft(runs);
  const { observations, latency, statuses, exchanges, took } = draft;
  const rows = [...draft.judged.keys()];
  const circumstances: Circumstances = {
    ...first,
    ...totals(runs),
    observations,
    latency,
    ...(statuses.length > 0 && { statuses }),
    exchanges,
    runId: runs.map(({ runId }) => runId).join("+"),
    version: first.tool.version,
    seeds: unique(runs.flatMap(({ seed, seeds = [seed] }) => seeds)),
    startedAt,
    today: startedAt.slice(0, 10),
    durationMs: Math.max(...ends) - Date.parse(startedAt),
    warnings: runs.flatMap(({ warnings }) => warnings),
    rows,
    wanted: rows,
    end: endOf(runs),
    took: took.size > 0 ? took : undefined,
    skippedBy: (id) => draft.skipped.get(id),
    error: endOf(runs).error,
  };
  const merged = conclude(draft, circumstances, {
    ...rules,
    ...defined({ selected: selection, given: first.settings }),
  });
  const narrowed = unique([
    ...runs.flatMap((run) => run.narrowed ?? []),
    ...(merged.narrowed ?? []),
  ]);
  return { ...merged, warnings: unique(merged.warnings), ...(narrowed.length > 0 && { narrowed }) };
}

/** What the runs found together, in the form of a single run. The exchanges are numbered anew. */
function joinedDraft(runs: readonly Run[]) {
  let last = 0;
  const parts = runs.map((run) => {
    const before = last;
    last += Math.max(0, ...run.exchanges.map(({ id }) => id));
    return renumbered(run, (id) => before + id);
  });
  const same = groups(
    parts.flatMap((part) => part.requirements),
    ({ id }) => id,
  );
  const joined = [...same].map(([id, rows]) => ({
    id,
    best: bestOf(rows),
    judged: joinedRows(rows),
  }));
  return {
    judged: new Map(joined.map(({ id, judged }) => [id, judged])),
    took: new Map(
      joined.flatMap(({ id, best: { tookMs } }) =>
        tookMs === undefined ? [] : [[id, tookMs] as const],
      ),
    ),
    skipped: new Map(joined.map(({ id, best }) => [id, best.skippedBy])),
    observations: joinedObservations(runs.flatMap((run) => run.observations)),
    latency: joinedLatencies(runs.map((run) => run.latency)),
    statuses: joinedStatuses(runs.map((run) => run.statuses ?? [])),
    exchanges: parts.flatMap(({ exchanges }) => exchanges),
  };
}

/** The counts of all runs added up, and the highest of their peaks of requests in flight. */
function totals(runs: readonly Run[]) {
  const created = createdKinds.map(
    (kind) => [kind, sum(runs.map((one) => one.createdCounts[kind] ?? 0))] as const,
  );
  const withoutId = sum(runs.map((one) => one.createdWithoutId ?? 0));
  return {
    requests: sum(runs.map(({ requests }) => requests)),
    peakInFlight: Math.max(...runs.map(({ peakInFlight }) => peakInFlight)),
    created: runs.flatMap((one) => one.created),
    createdCounts: Object.fromEntries(created.filter(([, count]) => count > 0)),
    ...(withoutId > 0 && { createdWithoutId: withoutId }),
    withheld: unique(runs.flatMap(({ withheld }) => withheld)),
  };
}

/**
 * How the merged run ended: with an error of fxconform if any run ended with one, or else like the
 * run that tested most, whose outcome has the lowest number in `order`.
 */
function endOf(runs: readonly Run[]): Pick<RunEvidence, "interrupted" | "error" | "untested"> {
  const best = runs.reduce((one, other) =>
    order[other.outcome] < order[one.outcome] ? other : one,
  );
  const { outcome, error = outcome === "error" ? best.summary : undefined } = best;
  const more = { error: error?.split("\n")[0], untested: untestedIn(best) };
  return { interrupted: outcome === "interrupted", ...more };
}

const order = {
  error: 0,
  conformant: 1,
  partial: 2,
  nonconformant: 3,
  interrupted: 4,
  inconclusive: 5,
} as const;

function renumbered(
  run: Run,
  idOf: (id: number) => number,
): Pick<Run, "requirements" | "exchanges"> {
  const moved = (id: number | undefined): number | undefined =>
    id === undefined ? undefined : idOf(id);
  return {
    exchanges: run.exchanges.map((exchange) => ({ ...exchange, id: idOf(exchange.id) })),
    requirements: run.requirements.map((row) => ({
      ...row,
      sample: moved(row.sample),
      findings: row.findings.map((finding) => ({ ...finding, exchange: moved(finding.exchange) })),
    })),
  };
}

/**
 * Of all results of one requirement, the one that counts: one with a finding, or else one that
 * passed, or else one with a reason for no verdict, or else one that was skipped.
 */
function bestOf(rows: readonly RequirementResult[]): RequirementResult {
  return rows.reduce((one, other) => (rank[other.verdict] < rank[one.verdict] ? other : one));
}

/** The results of one requirement from several runs, joined. */
function joinedRows(rows: readonly RequirementResult[]): JudgedRequirement {
  const { verdict, reason = "no verdict", gap, blockedAt, judgedIn, sample } = bestOf(rows);
  return {
    asked: sum(rows.map(({ asked }) => asked)),
    findings: rows.flatMap((one) => one.findings),
    inconclusive:
      verdict === "inconclusive"
        ? [{ reason, cutShort: true, ...defined({ gap, blockedAt }) }]
        : [],
    ...defined({ judgedIn, sample }),
  };
}

const rank = { fail: 0, warn: 0, pass: 1, inconclusive: 2, skip: 3 } as const;

function joinedObservations(all: readonly Observation[]): readonly Observation[] {
  return questionIds.flatMap((id) => {
    const same = all.filter((one) => one.id === id);
    const answers = same.flatMap((one) => one.answers);
    const counts = groups(answers, (one) => JSON.stringify([one.case, one.answer]));
    const sums = [...counts.values()].flatMap((group) =>
      group.slice(0, 1).map((first) => ({ ...first, count: sum(group.map(({ count }) => count)) })),
    );
    return same.slice(0, 1).map((first) => ({ ...first, answers: sums.sort(byAnswer) }));
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const unique = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];

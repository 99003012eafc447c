import { conclusionOf } from "./conclude.ts";
import type { GateRules } from "../run-options.ts";
import { byAnswer, inOrder, createdKinds } from "../run.ts";
import type { Observation, RequirementResult, Run } from "../run.ts";
import { untestedIn, type RunEvidence, requirementResults, type RequirementEvidence } from "./outcome.ts";
import { narrowedTexts } from "./narrowing.ts";
import { joinedLatencies } from "../evidence/latency.ts";
import { questionIds } from "../../spec/questions.ts";
import { groups } from "../groups.ts";

/** Several runs of one target as one conclusion. The day on which the first began decides what has expired. */
export const mergedRun = (runs: readonly [Run, ...Run[]], rules: Omit<GateRules, "today">): Run => {
  const { notSent: __, sent: ___, badCredentials: ____, sinceLast: _, ...first } = runs[0];
  let last = 0;
  const parts = runs.map((run) => {
    const before = last;
    last += Math.max(0, ...run.exchanges.map(({ id }) => id));
    return renumbered(run, (id) => before + id);
  });
  const allRows = parts.flatMap((part) => part.requirements);
  const rows = groups(allRows, ({ id }) => id);
  const evidence = new Map([...rows].map(([id, same]) => [id, joinedEvidence(same)]));
  const requirements = requirementResults(evidence).filter(({ id }) => rows.has(id));
  const observations = joinedObservations(runs.flatMap((run) => run.observations));
  const latency = joinedLatencies(runs.map((run) => run.latency));
  const [startedAt = first.startedAt] = runs.map((run) => run.startedAt).sort(inOrder);
  const end = { ...first, requirements, latency, ...endOf(runs) };
  const conclusion = conclusionOf(end, observations, { ...rules, today: startedAt.slice(0, 10) });
  const narrowed = unique([...runs.flatMap((run) => run.narrowed ?? []), ...narrowedTexts(rules, requirements)]);
  const ends = runs.map((one) => Date.parse(one.startedAt) + one.durationMs);
  const created = createdKinds.map((kind) => [kind, sum(runs.map((one) => one.createdCounts[kind] ?? 0))] as const);
  const withoutId = sum(runs.map((one) => one.createdWithoutId ?? 0));
  return {
    ...first,
    ...conclusion,
    runId: runs.map(({ runId }) => runId).join("+"),
    seeds: unique(runs.flatMap(({ seed, seeds = [seed] }) => seeds)),
    startedAt,
    durationMs: Math.max(...ends) - Date.parse(startedAt),
    requests: sum(runs.map(({ requests }) => requests)),
    peakInFlight: Math.max(...runs.map(({ peakInFlight }) => peakInFlight)),
    ...(narrowed.length === 0 ? {} : { narrowed }),
    observations,
    latency,
    exchanges: parts.flatMap(({ exchanges }) => exchanges),
    created: runs.flatMap((one) => one.created),
    createdCounts: Object.fromEntries(created.filter(([, count]) => count > 0)),
    ...(withoutId > 0 && { createdWithoutId: withoutId }),
    withheld: unique(runs.flatMap(({ withheld }) => withheld)),
    error: end.error,
    warnings: unique([...runs.flatMap(({ warnings }) => warnings), ...conclusion.warnings]),
  };
};

/** How the runs ended, as one: as the run that tested most. An error of fxconform outweighs what others found. */
const endOf = (runs: readonly Run[]): Pick<RunEvidence, "interrupted" | "bailed" | "error" | "untested"> => {
  const best = runs.reduce((one, other) => (order[other.outcome] < order[one.outcome] ? other : one));
  const { outcome, requirements, error = outcome === "error" ? best.summary : undefined } = best;
  const bailed = requirements.some(({ skippedBy }) => skippedBy === "bail");
  const more = { error: error?.split("\n")[0], untested: untestedIn(best) };
  return { interrupted: outcome === "interrupted", bailed, ...more };
};

const order = { error: 0, conformant: 1, partial: 2, nonconformant: 3, interrupted: 4, inconclusive: 5 } as const;

const renumbered = (run: Run, idOf: (id: number) => number): Pick<Run, "requirements" | "exchanges"> => {
  const moved = (id: number | undefined): number | undefined => (id === undefined ? undefined : idOf(id));
  return {
    exchanges: run.exchanges.map((exchange) => ({ ...exchange, id: idOf(exchange.id) })),
    requirements: run.requirements.map((row) => ({
      ...row,
      sample: moved(row.sample),
      findings: row.findings.map((finding) => ({ ...finding, exchange: moved(finding.exchange) })),
    })),
  };
};

/** What the rows of one requirement say: a finding in any of them decides, then a pass, then a reason for no verdict. */
const joinedEvidence = (rows: readonly RequirementResult[]): RequirementEvidence => {
  const best = rows.reduce((one, other) => (rank[other.verdict] < rank[one.verdict] ? other : one));
  const { verdict, reason = "no verdict", gap, ...row } = best;
  const inconclusive = verdict === "inconclusive" ? [{ reason, cutShort: true, gap }] : [];
  const findings = rows.flatMap((one) => one.findings);
  return { ...row, asked: sum(rows.map(({ asked }) => asked)), findings, inconclusive };
};

const rank = { fail: 0, warn: 0, pass: 1, inconclusive: 2, skip: 3 } as const;

const joinedObservations = (all: readonly Observation[]): readonly Observation[] =>
  questionIds.flatMap((id) => {
    const same = all.filter((one) => one.id === id);
    const answers = same.flatMap((one) => one.answers);
    const counts = groups(answers, (one) => JSON.stringify([one.case, one.answer]));
    const sums = [...counts.values()].flatMap((group) =>
      group.slice(0, 1).map((first) => ({ ...first, count: sum(group.map(({ count }) => count)) })),
    );
    return same.slice(0, 1).map((first) => ({ ...first, answers: sums.sort(byAnswer) }));
  });

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const unique = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];

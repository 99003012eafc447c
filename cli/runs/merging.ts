import { groups } from "../../reports/groups.ts";
import { latencyOf } from "../../engine/latency.ts";
import { causesOf } from "../../model/causes.ts";
import { isComplete, judgedOf, outcomeOf } from "../../model/outcome.ts";
import type {
  Finding,
  RecordedExchange,
  Observation,
  Outcome,
  RequirementResult,
  Run,
  TimelineEntry,
  Traffic,
  Verdict,
} from "../../model/run.ts";
import { questionIds } from "../../spec/questions.ts";

/** The runs of several shards, at least one, as if they had been one run. */
export function mergedRun(runs: readonly [Run, ...Run[]]): Run {
  const { shard: _, ...first } = runs[0];
  const start = Math.min(...runs.map(({ startedAt }) => Date.parse(startedAt)));
  const end = Math.max(...runs.map((run) => Date.parse(run.startedAt) + run.durationMs));
  const shards = renumbered(runs);
  const timeline = mergedTimeline(runs, start);
  const ids = unique(runs.flatMap((run) => run.requirements.map(({ id }) => id)));
  const requirements = ids.map((id) =>
    mergedRow(shards.flatMap((shard) => shard.requirements.filter((row) => row.id === id))),
  );
  const profile = runs.some((run) => run.profile === "full") ? "full" : "smoke";
  const { outcome, summary } = conclusionOf(runs, requirements, profile);
  return {
    ...first,
    runId: runs.map(({ runId }) => runId).join("+"),
    profile,
    startedAt: new Date(start).toISOString(),
    durationMs: end - start,
    requests: sum(runs.map(({ requests }) => requests)),
    ...sentOf(runs),
    peakInFlight: Math.max(...runs.map(({ peakInFlight }) => peakInFlight)),
    outcome,
    summary,
    complete: isComplete({ requirements, profile }) && outcome !== "interrupted",
    judged: judgedOf(requirements),
    gate: {
      pass: runs.every(({ gate }) => gate.pass),
      reasons: uniqueBy(runs.flatMap(({ gate }) => gate.reasons)),
      tolerated: uniqueBy(runs.flatMap(({ gate }) => gate.tolerated)),
    },
    causes: causesOf(requirements),
    requirements,
    observations: mergedObservations(runs),
    // Percentiles cannot be added: they are computed again.
    latency: latencyOf(timeline.map(({ operation, at, took, status }) => [operation, at, took, status])),
    timeline,
    ...mergedPools(runs),
    traffic: mergedTraffic(runs),
    exchanges: shards.flatMap(({ exchanges }) => exchanges),
    created: runs.flatMap(({ created }) => created),
    withheld: unique(runs.flatMap(({ withheld }) => withheld)),
    warnings: unique(runs.flatMap(({ warnings }) => warnings)),
  };
}

/** Earlier in the list holds: what one shard found is not undone by another. */
const verdictOrder: readonly Verdict[] = ["fail", "warn", "pass", "inconclusive", "skip"];
const outcomeOrder: readonly Outcome[] = [
  ...(["error", "interrupted", "nonconformant", "inconclusive", "partial", "conformant"] as const),
];

/** Verdicts are counted over all shards; any other reason is that of the shard that had it. */
function conclusionOf(
  runs: readonly Run[],
  requirements: readonly RequirementResult[],
  profile: Run["profile"],
): Pick<Run, "outcome" | "summary"> {
  const worst = outcomeOrder.find((outcome) => runs.some((run) => run.outcome === outcome));
  const decisive = runs.find((run) => run.outcome === worst);
  return decisive === undefined || worst === "nonconformant" || worst === "partial" || worst === "conformant"
    ? outcomeOf({ requirements, profile, interrupted: false, neverSucceeded: [] })
    : decisive;
}

interface Shard {
  readonly requirements: readonly RequirementResult[];
  readonly exchanges: readonly RecordedExchange[];
}

/** Exchange ids that are unique over all shards, in rows and exchanges alike. */
function renumbered(runs: readonly Run[]): readonly Shard[] {
  let next = 1;
  return runs.map(({ exchanges, requirements }) => {
    const ids = new Map(exchanges.map(({ id }) => [id, next++]));
    const pointed = ({ exchange, ...finding }: Finding): Finding => {
      const id = exchange === undefined ? undefined : ids.get(exchange);
      return id === undefined ? finding : { ...finding, exchange: id };
    };
    return {
      requirements: requirements.map((row) => ({ ...row, findings: row.findings.map(pointed) })),
      exchanges: exchanges.map((exchange) => ({ ...exchange, id: ids.get(exchange.id) ?? exchange.id })),
    };
  });
}

function mergedRow(rows: readonly RequirementResult[]): RequirementResult {
  const ordered = rows.toSorted((a, b) => verdictOrder.indexOf(a.verdict) - verdictOrder.indexOf(b.verdict));
  const [decisive] = ordered;
  if (decisive === undefined) throw new TypeError("a requirement without a row");
  return {
    ...decisive,
    asked: sum(rows.map(({ asked }) => asked)),
    tookMs: sum(rows.map(({ tookMs }) => tookMs ?? 0)),
    findings: ordered.flatMap(({ findings }) => findings),
  };
}

function mergedObservations(runs: readonly Run[]): readonly Observation[] {
  const all = runs.flatMap(({ observations }) => observations);
  return questionIds.flatMap((id) => {
    const same = all.filter((one) => one.id === id);
    const [first] = same;
    if (first === undefined) return [];
    const answers = [
      ...groups(
        same.flatMap((one) => one.answers),
        (one) => JSON.stringify([one.case, one.answer]),
      ).values(),
    ];
    return [
      {
        ...first,
        answers: answers.flatMap(([one, ...others]) =>
          one === undefined ? [] : [{ ...one, count: sum([one, ...others].map(({ count }) => count)) }],
        ),
      },
    ];
  });
}

/** What all shards sent; nothing where one of them did not count it. */
function sentOf(runs: readonly Run[]): Pick<Run, "sent" | "badCredentials"> {
  const all = runs.flatMap(({ sent }) => (sent === undefined ? [] : [sent]));
  if (all.length < runs.length) return {};
  const sent = [...groups(all.flat(), ({ operation, kind }) => `${operation} ${kind}`).values()].flatMap(
    ([one, ...others]) =>
      one === undefined ? [] : [{ ...one, count: sum([one, ...others].map(({ count }) => count)) }],
  );
  return { sent, badCredentials: sum(runs.map(({ badCredentials = 0 }) => badCredentials)) };
}

/** A pool that several shards drew from is drawn from alike, as the seed is one. */
const mergedPools = (runs: readonly Run[]): Pick<Run, "pools"> => {
  const pools = uniqueBy(runs.flatMap((run) => run.pools ?? []));
  return pools.length === 0 ? {} : { pools };
};

const mergedTraffic = (runs: readonly Run[]): readonly Traffic[] =>
  [
    ...groups(
      runs.flatMap((run) => run.traffic ?? []),
      ({ scenario, pool }) => JSON.stringify([scenario, pool]),
    ).values(),
  ].flatMap((rows) =>
    rows.slice(0, 1).map((row) => ({
      ...row,
      requests: sum(rows.map(({ requests }) => requests)),
      violates: unique(rows.flatMap(({ violates }) => violates)),
    })),
  );

const mergedTimeline = (runs: readonly Run[], start: number): readonly TimelineEntry[] =>
  runs
    .flatMap(({ timeline, startedAt }) => {
      const later = Date.parse(startedAt) - start;
      return timeline.map((entry) => ({ ...entry, at: entry.at + later }));
    })
    .sort((a, b) => a.at - b.at);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const uniqueBy = <T>(values: readonly T[]): readonly T[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

const unique = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];

import { defined } from "../../model/defined.ts";
import { groups } from "../../reports/groups.ts";
import { conclusionOf } from "../../model/conclusion.ts";
import { expiryWarnings, uncheckedBudgets, type GateRules } from "../../model/gate.ts";
import { byAnswer } from "../../model/observed-answers.ts";
import {
  createdKinds,
  type Finding,
  type JoinableEvidence,
  type RecordedExchange,
  type Observation,
  type RequirementResult,
  type Run,
  type Traffic,
} from "../../model/run.ts";
import { joinedLatencies } from "../../model/timing/latency.ts";
import { joinedTimeline } from "../../model/timing/timeline.ts";
import { requirementResults, type RequirementEvidence } from "../../model/verdicts.ts";
import { requirementIds, type RequirementId } from "../../spec/catalogue.ts";
import { operationNames } from "../../spec/operations.ts";
import { questionIds } from "../../spec/questions.ts";

/**
 * What the user demands of the merged run. The day on which the run began decides which baseline entries are expired.
 */
export type MergeRules = Omit<GateRules, "today">;

/** The runs of several shards, at least one, as if they had been one run: their evidence is joined and judged anew. */
export function mergedRun(runs: readonly [Run, ...Run[]], rules: MergeRules): Run {
  const { shard: _, evidence: __, settings, ...first } = runs[0];
  const start = Math.min(...runs.map(({ startedAt }) => Date.parse(startedAt)));
  const end = Math.max(...runs.map((run) => Date.parse(run.startedAt) + run.durationMs));
  const shards = renumbered(runs);
  const known = new Set(runs.flatMap((run) => run.requirements.map(({ id }) => id)));
  const reasons = runs.flatMap(inconclusiveOf);
  const requirements = requirementResults(
    new Map(requirementIds.map((id) => [id, joinedEvidence(id, shards, reasons)])),
  ).filter(({ id }) => known.has(id));
  const profile = runs.some((run) => run.profile === "full") ? "full" : "smoke";
  const observations = mergedObservations(runs);
  const startedAt = new Date(start).toISOString();
  const today = startedAt.slice(0, 10);
  const { selection } = first;
  const scope = { requirements, profile, ...(selection === undefined ? {} : { selection }) } as const;
  const latency = joinedLatencies(runs.map((run) => run.latency));
  const measured = { startedAt, latency, ...certificateOf(runs) };
  const conclusion = conclusionOf({ ...scope, ...endOf(runs), measured }, observations, { ...rules, today });
  return {
    ...first,
    ...certificateOf(runs),
    runId: runs.map(({ runId }) => runId).join("+"),
    profile,
    startedAt,
    durationMs: end - start,
    requests: sum(runs.map(({ requests }) => requests)),
    ...sentOf(runs),
    peakInFlight: Math.max(...runs.map(({ peakInFlight }) => peakInFlight)),
    ...conclusion,
    ...(settings === undefined ? {} : { settings: withoutShard(settings) }),
    requirements,
    observations,
    latency,
    timeline: joinedTimeline(
      runs.map(({ timeline, startedAt }) => ({ timeline, later: Date.parse(startedAt) - start })),
    ),
    ...mergedPools(runs),
    traffic: mergedTraffic(runs),
    exchanges: shards.flatMap(({ exchanges }) => exchanges),
    created: runs.flatMap(({ created }) => created),
    createdCounts: mergedCounts(runs),
    withheld: unique(runs.flatMap(({ withheld }) => withheld)),
    warnings: unique([
      ...runs.flatMap(({ warnings }) => warnings),
      ...expiryWarnings(conclusion.gate, today),
      ...uncheckedBudgets(conclusion.outcome, measured, rules),
    ]),
  };
}

/** The certificate that expires first: the machines behind one address may have different ones. */
const certificateOf = (runs: readonly Run[]): Pick<Run, "certificate"> => {
  const all = runs.flatMap(({ certificate }) => (certificate === undefined ? [] : [certificate]));
  const [certificate] = all.sort((one, other) => Date.parse(one.expires) - Date.parse(other.expires));
  return certificate === undefined ? {} : { certificate };
};

/** Why a run has no verdict on a requirement: from its evidence or, without evidence, from the reasons of its rows. */
const inconclusiveOf = ({ evidence, requirements }: Run): JoinableEvidence["inconclusive"] =>
  evidence?.inconclusive ??
  requirements.flatMap(({ id, verdict, asked, reason = "no verdict" }) =>
    verdict === "inconclusive" ? [{ requirement: id, reason, cutShort: asked > 0 }] : [],
  );

/** How the runs ended, as one. An operation that answered one shard with success did so in the run. */
function endOf(runs: readonly Run[]): Omit<Parameters<typeof conclusionOf>[0], "requirements" | "profile"> {
  const error = runs.find(({ outcome }) => outcome === "error");
  const untestable = runs.map(untestableOf).find((reason) => reason !== undefined);
  const bailed = runs.some(isBailed);
  const succeeded = new Set(runs.flatMap(({ evidence }) => evidence?.succeeded ?? []));
  const never = new Set(runs.flatMap(({ evidence }) => evidence?.neverSucceeded ?? []));
  return {
    interrupted: runs.some(({ outcome }) => outcome === "interrupted"),
    bailed,
    neverSucceeded: bailed ? [] : operationNames.filter((one) => never.has(one) && !succeeded.has(one)),
    ...(error === undefined ? {} : { error: (error.error ?? error.summary).split("\n")[0] ?? "" }),
    ...(untestable === undefined ? {} : { untestable }),
  };
}

const untestableOf = ({ evidence, outcome, summary }: Run): string | undefined =>
  evidence === undefined && outcome === "inconclusive" ? summary : evidence?.untestable;

const isBailed = ({ evidence, requirements }: Run): boolean =>
  evidence?.bailed ?? requirements.some(({ skippedBy }) => skippedBy === "bail");

const withoutShard = (settings: NonNullable<Run["settings"]>): NonNullable<Run["settings"]> =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => name !== "shard"));

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
    const renumberedRow = ({ sample, ...row }: RequirementResult): RequirementResult => {
      const id = sample === undefined ? undefined : ids.get(sample);
      return { ...row, ...(id === undefined ? {} : { sample: id }), findings: row.findings.map(pointed) };
    };
    return {
      requirements: requirements.map(renumberedRow),
      exchanges: exchanges.map((exchange) => ({ ...exchange, id: ids.get(exchange.id) ?? exchange.id })),
    };
  });
}

/** What all shards found out about a requirement. */
function joinedEvidence(
  id: RequirementId,
  shards: readonly Shard[],
  inconclusive: JoinableEvidence["inconclusive"],
): RequirementEvidence {
  const rows = shards.flatMap((shard) => shard.requirements.filter((row) => row.id === id));
  const tried = rows.filter(({ verdict }) => verdict !== "skip");
  // Each shard left it to another one: all ran, and no response showed it.
  const untried = rows.some(({ skippedBy }) => skippedBy === "shard") ? undefined : "selection";
  const left = rows.find(({ skippedBy }) => skippedBy !== undefined && skippedBy !== "shard")?.skippedBy ?? untried;
  const judgedIn = unique(rows.flatMap((row) => row.judgedIn ?? [])).slice(0, 12);
  const sample = rows.find((row) => row.sample !== undefined)?.sample;
  return {
    asked: sum(tried.map(({ asked }) => asked)),
    tookMs: sum(tried.map(({ tookMs }) => tookMs ?? 0)),
    ...(judgedIn.length === 0 ? {} : { judgedIn }),
    ...defined({ sample }),
    findings: mergedFindings(tried.flatMap(({ findings }) => findings)),
    inconclusive: inconclusive.filter(({ requirement }) => requirement === id),
    ...(tried.length > 0 || left === undefined ? {} : { skippedBy: left }),
  };
}

/** One run keeps the first finding of an operation and a message, and counts the others. */
const mergedFindings = (findings: readonly Finding[]): readonly Finding[] =>
  joined(
    findings,
    ({ operation, message }) => [operation, message],
    (finding, same) => ({ ...finding, occurrences: sum(same.map(({ occurrences = 1 }) => occurrences)) }),
  );

/** Items with one key as one item, made of the first of them and of all. */
const joined = <T>(
  items: readonly T[],
  keyOf: (item: T) => readonly unknown[],
  join: (first: T, same: readonly T[]) => T,
): readonly T[] =>
  [...groups(items, (item) => JSON.stringify(keyOf(item))).values()].flatMap((same) =>
    same.slice(0, 1).map((first) => join(first, same)),
  );

/** The first of several items that are counted, with the sum of all counts. */
const counted = <T extends { readonly count: number }>(first: T, same: readonly T[]): T => ({
  ...first,
  count: sum(same.map(({ count }) => count)),
});

function mergedObservations(runs: readonly Run[]): readonly Observation[] {
  const all = runs.flatMap(({ observations }) => observations);
  return questionIds.flatMap((id) => {
    const same = all.filter((one) => one.id === id);
    const [first] = same;
    if (first === undefined) return [];
    const answers = same.flatMap((one) => one.answers);
    return [{ ...first, answers: joined(answers, (one) => [one.case, one.answer], counted).toSorted(byAnswer) }];
  });
}

/** What all shards sent; empty if one of them did not count it. */
function sentOf(runs: readonly Run[]): Pick<Run, "sent" | "badCredentials"> {
  const all = runs.flatMap(({ sent }) => (sent === undefined ? [] : [sent]));
  if (all.length < runs.length) return {};
  const sent = joined(all.flat(), ({ operation, kind }) => [operation, kind], counted);
  return { sent, badCredentials: sum(runs.map(({ badCredentials = 0 }) => badCredentials)) };
}

/** Shards with the same seed draw the same values from a pool. */
const mergedPools = (runs: readonly Run[]): Pick<Run, "pools"> => {
  const pools = uniqueBy(runs.flatMap((run) => run.pools ?? []));
  return pools.length === 0 ? {} : { pools };
};

const mergedTraffic = (runs: readonly Run[]): readonly Traffic[] =>
  joined(
    runs.flatMap((run) => run.traffic ?? []),
    ({ scenario, pool }) => [scenario, pool],
    (row, rows) => ({
      ...row,
      requests: sum(rows.map(({ requests }) => requests)),
      violates: unique(rows.flatMap(({ violates }) => violates)),
    }),
  );

const mergedCounts = (runs: readonly Run[]): Run["createdCounts"] =>
  Object.fromEntries(
    createdKinds.flatMap((kind) => {
      const count = sum(runs.map(({ createdCounts }) => createdCounts[kind] ?? 0));
      return count === 0 ? [] : [[kind, count] as const];
    }),
  );

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const uniqueBy = <T>(values: readonly T[]): readonly T[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

const unique = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];

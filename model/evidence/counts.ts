import { operationNames, type OperationName } from "../../spec/operations.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import {
  createdKinds,
  type CreatedKind,
  type Latency,
  type Run,
  type SentKind,
  type StatusCount,
} from "../run.ts";
import type { TargetStep, RunState } from "./evidence.ts";

/** What is counted of a response besides what the exchange says. */
export interface ResponseOutcome {
  /** The response is a success that can be read. */
  readonly succeeded?: boolean;
  /** What the success created. `id` is absent if the response has no id that a request could name. */
  readonly created?: { readonly kind: CreatedKind; readonly id?: string };
}

/** The most resources that a report lists. */
const mostCreated = 1000;

/** Counts the responses of a run, and keeps what they created. */
export function createResponses() {
  const latencies = createLatencies();
  const statuses = createCounts<number>();
  const created: Run["created"][number][] = [];
  const counts = new Map<CreatedKind, number>();
  const succeeded = new Set<OperationName>();
  let createdWithoutId = 0;
  return {
    add: (operation: OperationName, took: number, outcome: ResponseOutcome): void => {
      latencies.add(operation, took);
      if (outcome.succeeded === true) succeeded.add(operation);
      if (outcome.created === undefined) return;
      const { kind, id } = outcome.created;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (id === undefined) createdWithoutId += 1;
      else if (created.length < mostCreated) created.push({ kind, id });
    },
    received: statuses.add,
    result: () => ({
      latency: latencies.all(),
      statuses: statuses
        .all((one, other) => one - other)
        .map(({ operation, key: status, count }): StatusCount => ({ operation, status, count })),
      created,
      createdCounts: Object.fromEntries(
        createdKinds.flatMap((kind) => [...counts].filter(([one]) => one === kind)),
      ) as Run["createdCounts"],
      createdWithoutId,
    }),
    withoutSuccess: (needed: readonly OperationName[]): readonly OperationName[] =>
      operationNames.filter((operation) => needed.includes(operation) && !succeeded.has(operation)),
  };
}

interface Durations {
  /** How often each time occurred. */
  readonly counts: Map<number, number>;
  sum: number;
  max: number;
}

/**
 * Collects how long responses took, in milliseconds. Its memory is bounded, however many responses
 * there are.
 */
export function createLatencies() {
  const seen = new Map<OperationName, Durations>();
  return {
    add: (operation: OperationName, took: number): void => {
      const own = seen.get(operation) ?? { counts: new Map(), sum: 0, max: 0 };
      const duration = roundedUp(took, 4);
      own.counts.set(duration, (own.counts.get(duration) ?? 0) + 1);
      own.sum += took;
      own.max = Math.max(own.max, took);
      seen.set(operation, own);
    },
    /**
     * The latency of each operation, in the order of the specification. Percentiles are nearest
     * ranks, to four significant digits.
     */
    all: (): readonly Latency[] =>
      operationNames.flatMap((operation) => {
        const own = seen.get(operation);
        return own === undefined ? [] : [latencyOf(operation, own)];
      }),
  };
}

function latencyOf(operation: OperationName, { counts, sum, max }: Durations): Latency {
  const sorted = [...counts].sort(([a], [b]) => a - b);
  const count = sorted.reduce((all, [, times]) => all + times, 0);
  const at = (share: number): number => {
    let left = Math.max(1, Math.ceil(count * share));
    for (const [ms, times] of sorted) {
      left -= times;
      if (left <= 0) return Math.min(ms, max);
    }
    return max;
  };
  const histogram = new Map<number, number>();
  for (const [ms, times] of sorted) {
    const bound = roundedUp(ms, 2);
    histogram.set(bound, (histogram.get(bound) ?? 0) + times);
  }
  return {
    operation,
    count,
    sum: Number(sum.toFixed(1)),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max,
    histogram: [...histogram],
  };
}

/**
 * Rounds up to tenths of a millisecond and to `digits` significant digits, so that the histograms
 * of all runs have the same steps.
 */
function roundedUp(ms: number, digits: number): number {
  const tenths = Math.ceil(Number((ms * 10).toFixed(3)));
  const step = 10 ** Math.max(0, String(tenths - 1).length - digits);
  return (Math.ceil(tenths / step) * step) / 10;
}

/** Counts by operation and something else, in the order of the specification. */
export function createCounts<K extends string | number>() {
  const counts = new Map<OperationName, Map<K, number>>();
  return {
    add: (operation: OperationName, key: K): void => {
      const own = counts.get(operation) ?? new Map<K, number>();
      counts.set(operation, own.set(key, (own.get(key) ?? 0) + 1));
    },
    all: (order: (one: K, other: K) => number) =>
      operationNames.flatMap((operation) =>
        [...(counts.get(operation) ?? [])]
          .sort(([one], [other]) => order(one, other))
          .map(([key, count]) => ({ operation, key, count })),
      ),
  };
}

export type ProgressCounters = ReturnType<typeof createProgress>;

const sentKinds = [
  "valid",
  "unusual",
  "invalid",
  "bad credentials",
] as const satisfies readonly SentKind[];

/** Counts how far a run is, and calls `changed` after each change. */
export function createProgress(changed: () => void = () => undefined) {
  const sent = createCounts<SentKind>();
  const took = new Map<RequirementId, number>();
  const steps: TargetStep[] = [];
  let operations: readonly OperationName[] = [];
  let planned = 0;
  let done = 0;
  let peakInFlight = 0;
  let isEnded = false;
  let waiting: string | undefined;

  return {
    step: (step: TargetStep): void => {
      steps.push(step);
      changed();
    },
    plan: (scenarios: number, needed: readonly OperationName[]): void => {
      planned = scenarios;
      operations = needed;
      changed();
    },
    sends: (operation: OperationName, kind: SentKind): void => {
      sent.add(operation, kind);
      changed();
    },
    /**
     * Notes that the run waits for long, such as for a rate limit or a target in trouble. The next
     * response ends the note.
     */
    waits: (text: string): void => {
      waiting = text;
      changed();
    },
    responded: (): void => {
      waiting = undefined;
      changed();
    },
    /** Notes that a scenario of these requirements has ended, after `ms` milliseconds. */
    ends: (requirements: readonly RequirementId[], ms: number): void => {
      done += 1;
      for (const id of requirements) took.set(id, (took.get(id) ?? 0) + ms);
      changed();
    },
    /** Notes that the run has ended. `peak`: the most requests that were in flight at once. */
    end: (peak: number): void => {
      peakInFlight = peak;
      isEnded = true;
      changed();
    },
    now: (): RunState => ({
      sent: sent
        .all((one, other) => sentKinds.indexOf(one) - sentKinds.indexOf(other))
        .map(({ operation, key: kind, count }) => ({ operation, kind, count })),
      operations,
      planned,
      done,
      peakInFlight,
      isEnded,
      took: [...took],
      steps: [...steps],
      waiting,
    }),
  };
}

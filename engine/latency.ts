import type { TimelineRow } from "../model/evidence.ts";
import { operationNames } from "../spec/operations.ts";
import type { Latency } from "../model/run.ts";

/** Percentiles by operation, over requests with a response (nearest rank). */
export const latencyOf = (timeline: readonly TimelineRow[]): readonly Latency[] =>
  operationNames.flatMap((operation) => {
    const times = timeline
      .filter(([name, , , status]) => name === operation && status !== 0)
      .map(([, , took]) => took)
      .sort((a, b) => a - b);
    const at = (share: number): number => times[Math.max(0, Math.ceil(times.length * share) - 1)] ?? 0;
    return times.length === 0
      ? []
      : [{ operation, count: times.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }];
  });

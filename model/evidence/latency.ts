import { operationNames, type OperationName } from "../../spec/operations.ts";
import type { Latency } from "../run.ts";

type LatencyCounts = ReadonlyMap<number, number>;

/**
 * Collects how long responses took, in milliseconds. Its memory is bounded, however many responses
 * there are.
 */
export function createLatencies() {
  const seen = new Map<OperationName, { counts: Map<number, number>; sum: number; max: number }>();
  return {
    add: (operation: OperationName, took: number): void => {
      const own = seen.get(operation) ?? { counts: new Map<number, number>(), sum: 0, max: 0 };
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
        return own === undefined ? [] : [latencyOf(operation, own.counts, own)];
      }),
  };
}

function latencyOf(
  operation: OperationName,
  counts: LatencyCounts,
  { sum, max }: { readonly sum: number; readonly max: number },
): Latency {
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

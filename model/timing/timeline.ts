import { operationNames, type OperationName } from "../../spec/operations.ts";
import { answerClasses, type AnswerClass, type Timeline } from "../run.ts";

/** Collects requests, in any order. Its memory is bounded, whatever their number and the duration of the run. */
export interface TimelineSummary {
  /** `at`: milliseconds from the start of the run to the send; `took`: milliseconds; `status`: 0 for no response. */
  readonly add: (operation: OperationName, at: number, took: number, status: number) => void;
  readonly timeline: () => Timeline;
}

/** The largest number of intervals of a timeline. */
export const mostIntervals = 200;

export const createTimeline = (): TimelineSummary => {
  const intervals = createIntervals();
  return {
    add: (operation, at, took, status) => {
      intervals.count(operation, answerClassOf(status), at, 1);
      intervals.busy(at, at + took, 1);
    },
    timeline: intervals.timeline,
  };
};

const answerClassOf = (status: number): AnswerClass =>
  status === 0 || status >= 500 ? "failed" : status < 300 ? "succeeded" : "refused";

/** Counts by interval. When a time is beyond the last one, neighbours are joined, which doubles the length of each. */
const createIntervals = () => {
  let intervalMs = 1;
  let last = -1;
  let inFlight = zeros();
  const rows = new Map<string, number[]>();

  const indexOf = (at: number): number => {
    while (at >= intervalMs * mostIntervals && Number.isFinite(at)) {
      intervalMs *= 2;
      inFlight = paired(inFlight);
      for (const [key, counts] of rows) rows.set(key, paired(counts));
      last = Math.floor(last / 2);
    }
    const index = Math.min(mostIntervals - 1, Math.max(0, Math.floor(at / intervalMs)));
    last = Math.max(last, index);
    return index;
  };
  const add = (counts: number[], index: number, by: number): void => {
    counts[index] = (counts[index] ?? 0) + by;
  };
  const trimmed = (counts: readonly number[] | undefined): readonly number[] => (counts ?? zeros()).slice(0, last + 1);

  return {
    count: (operation: OperationName, kind: AnswerClass, at: number, by: number): void => {
      const index = indexOf(at);
      const key = `${operation} ${kind}`;
      const counts = rows.get(key) ?? zeros();
      add(counts, index, by);
      rows.set(key, counts);
    },
    /** Adds requests that were in flight between two times. */
    busy: (from: number, to: number, requests: number): void => {
      if (requests === 0 || to <= from) return;
      indexOf(to);
      for (let index = indexOf(from); index < mostIntervals && index * intervalMs < to; index++) {
        const [start, end] = [Math.max(from, index * intervalMs), Math.min(to, (index + 1) * intervalMs)];
        if (end > start) add(inFlight, index, (end - start) * requests);
      }
    },
    timeline: (): Timeline => ({
      intervalMs,
      inFlight: trimmed(inFlight).map((ms) => Number((ms / intervalMs).toFixed(1))),
      operations: operationNames.flatMap((operation) => {
        const [succeeded, refused, failed] = answerClasses.map((kind) => rows.get(`${operation} ${kind}`));
        return succeeded === undefined && refused === undefined && failed === undefined
          ? []
          : [{ operation, succeeded: trimmed(succeeded), refused: trimmed(refused), failed: trimmed(failed) }];
      }),
    }),
  };
};

const zeros = (): number[] => new Array<number>(mostIntervals).fill(0);

/** The counts with each two neighbours added up, filled with zeros to the same length. */
const paired = (counts: readonly number[]): number[] =>
  zeros().map((_, index) => (counts[2 * index] ?? 0) + (counts[2 * index + 1] ?? 0));

import { expect, test } from "vitest";
import type { TimelineRow } from "../model/evidence.ts";
import { latencyOf } from "./latency.ts";

const timelineOf = (times: readonly number[]): readonly TimelineRow[] =>
  times.map((took) => ["listBatches", 0, took, 200]);

test.each([
  [[7], [7, 7, 7, 7]],
  [
    [3, 1, 2],
    [2, 3, 3, 3],
  ],
  [
    [1, 2],
    [1, 2, 2, 2],
  ],
  [Array.from({ length: 100 }, (_, i) => 100 - i), [50, 95, 99, 100]],
  [Array.from({ length: 1000 }, (_, i) => i), [499, 949, 989, 999]],
])("percentiles by nearest rank of %#", (times, [p50, p95, p99, max]) => {
  expect(latencyOf(timelineOf(times))).toEqual([{ operation: "listBatches", count: times.length, p50, p95, p99, max }]);
});

test("by operation in the order of the specification, over requests with a response", () => {
  const rows: readonly TimelineRow[] = [
    ["listBatches", 0, 10, 200],
    ["createToken", 0, 5, 401],
    ["createBatch", 0, 9999, 0],
    ["listBatches", 0, 9999, 0],
  ];
  expect(latencyOf(rows).map(({ operation, count, max }) => [operation, count, max])).toEqual([
    ["createToken", 1, 5],
    ["listBatches", 1, 10],
  ]);
  expect(latencyOf([])).toEqual([]);
});

import { expect, test } from "vitest";
import { createTimeline, mostIntervals } from "./timeline.ts";

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

test("requests are counted by operation, by answer and by the interval in which they were sent", () => {
  const { add, timeline } = createTimeline();
  add("listBatches", 0, 2, 200);
  add("listBatches", 2, 1, 404);
  add("createToken", 1, 2, 503);
  add("createToken", 1.5, 0.5, 0);
  expect(timeline()).toEqual({
    intervalMs: 1,
    inFlight: [1, 2.5, 2, 0],
    operations: [
      { operation: "createToken", succeeded: [0, 0, 0, 0], refused: [0, 0, 0, 0], failed: [0, 2, 0, 0] },
      { operation: "listBatches", succeeded: [1, 0, 0, 0], refused: [0, 0, 1, 0], failed: [0, 0, 0, 0] },
    ],
  });
});

test("a long run has few intervals, and nothing is lost", () => {
  const { add, timeline } = createTimeline();
  const order = [99_999, 0, 50_000, ...Array.from({ length: 100_000 }, (_, i) => i)];
  for (const at of order) add("createOperation", at, 3, 200);
  const { intervalMs, inFlight, operations } = timeline();
  expect(inFlight.length).toBeLessThanOrEqual(mostIntervals);
  expect(inFlight.length).toBeGreaterThan(mostIntervals / 2);
  expect(sum(operations[0]?.succeeded ?? [])).toBe(order.length);
  expect(sum(inFlight) * intervalMs).toBeCloseTo(3 * order.length, -4);
});

test("the order in which requests are added does not matter", () => {
  const rows = Array.from({ length: 500 }, (_, i) => [i * 7, (i % 9) + 1] as const);
  const [forwards, backwards] = [rows, rows.toReversed()].map((all) => {
    const { add, timeline } = createTimeline();
    for (const [at, took] of all) add("createBatch", at, took, 201);
    return timeline();
  });
  expect(forwards).toEqual(backwards);
});

test.each([-5, Number.POSITIVE_INFINITY])("a request at %s ms, as in some recordings, is counted", (at) => {
  const { add, timeline } = createTimeline();
  add("createBatch", at, 1, 201);
  expect(timeline().operations.map(({ succeeded }) => sum(succeeded))).toEqual([1]);
});

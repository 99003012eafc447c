import { expect, test } from "vitest";
import { createLatencies, createStatusCounts } from "./responses.ts";

function latenciesOf(times: readonly number[]) {
  const latencies = createLatencies();
  for (const took of times) latencies.add("listBatches", took);
  return latencies.all();
}

test.each([
  { times: [3, 1, 2], wanted: [2, 3, 3, 3] },
  { times: Array.from({ length: 1000 }, (_, i) => i), wanted: [499, 949, 989, 999] },
  { times: [1000.1, 12_345, 20_000], wanted: [12_350, 20_000, 20_000, 20_000] },
])("percentiles by nearest rank are $wanted", ({ times, wanted: [p50, p95, p99, max] }) => {
  expect(latenciesOf(times)).toMatchObject([
    { operation: "listBatches", count: times.length, p50, p95, p99, max },
  ]);
});

test("responses are counted by operation and status, in the order of the specification", () => {
  const counts = createStatusCounts();
  const list = { operation: "listBatches", status: 200, count: 1 } as const;
  const token = { operation: "createToken", status: 401, count: 1 } as const;
  for (const one of [list, token, { ...token, status: 200 }, token]) counts.add(one);
  const all = [{ ...token, status: 200 }, { ...token, count: 2 }, list];
  expect(counts.all()).toEqual(all);
});

import { expect, test } from "vitest";
import { createLatencies, createCounts } from "./counts.ts";

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

test("what is counted by operation has the order of the specification", () => {
  const counts = createCounts<number>();
  counts.add("listBatches", 200);
  for (const status of [401, 200, 401]) counts.add("createToken", status);
  expect(counts.all((one, other) => one - other)).toEqual([
    { operation: "createToken", key: 200, count: 1 },
    { operation: "createToken", key: 401, count: 2 },
    { operation: "listBatches", key: 200, count: 1 },
  ]);
});

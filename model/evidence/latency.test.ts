import { expect, test } from "vitest";
import { createLatencies, joinedLatencies } from "./latency.ts";

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

test("joined latencies add counts; their percentiles are those of all responses, at most 10 % too high", () => {
  const parts = [
    Array.from({ length: 500 }, (_, i) => i + 0.5),
    Array.from({ length: 500 }, (_, i) => 500.5 + i),
  ];
  const [whole] = latenciesOf(parts.flat());
  const [joined] = joinedLatencies(parts.map(latenciesOf));
  expect(joined).toMatchObject({
    count: 1000,
    sum: whole?.sum,
    max: 999.5,
    histogram: whole?.histogram,
  });
  for (const name of ["p50", "p95", "p99"] as const) {
    const exact = whole?.[name] ?? 0;
    expect(joined?.[name]).toBeGreaterThanOrEqual(exact);
    expect(joined?.[name]).toBeLessThanOrEqual(exact * 1.1);
  }
  const one = latenciesOf([1234]);
  expect(joinedLatencies([one, []])).toEqual(one);
});

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sampleOf, samplesOf } from "./samples.ts";

const numbers = fc.integer({ min: 0, max: 1_000_000 });

test("the first samples are those that a check draws first, and all are the same with the same seed", () => {
  const values = (n: number) => [...samplesOf(numbers, { seed: 5, n })].map(({ value }) => value);
  expect(values(30)).toEqual(sampleOf(numbers, { seed: 5, n: 30 }));
  expect(values(1200)).toHaveLength(1200);
  expect(values(1200)).toEqual(values(1200));
  expect(values(1200).slice(0, 700)).toEqual(values(700));
  for (const n of [0, -1]) expect(values(n)).toEqual([]);
});

test.each([0, 3, 499, 500, 1001])(
  "fast-check draws sample %i again from where it says",
  (index) => {
    const { value, from } = [...samplesOf(numbers, { seed: -7, n: 1100 })][index] ?? {
      value: -1,
      from: { seed: 0 },
    };
    const seen: number[] = [];
    fc.check(
      fc.property(numbers, (one) => void seen.push(one)),
      { ...from, numRuns: 1 },
    );
    expect(seen).toEqual([value]);
  },
);

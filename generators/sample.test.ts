import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sampleOf } from "./samples.ts";

const numbers = fc.integer();

test("n values, the same for the same seed", () => {
  for (const n of [1, 2, 7]) expect(sampleOf(numbers, { seed: 5, n })).toHaveLength(n);
  expect(sampleOf(numbers, { seed: 5, n: 7 })).toEqual(sampleOf(numbers, { seed: 5, n: 7 }));
  expect(sampleOf(numbers, { seed: 5, n: 7 })).not.toEqual(sampleOf(numbers, { seed: 6, n: 7 }));
});

test("a smaller sample is the beginning of a larger one", () => {
  expect(sampleOf(numbers, { seed: 5, n: 3 })).toEqual(sampleOf(numbers, { seed: 5, n: 7 }).slice(0, 3));
});

test("a sample of 0 values draws nothing", () => {
  const undrawn = numbers.map(() => {
    throw new Error("drawn");
  });
  for (const n of [0, -1]) expect(sampleOf(undrawn, { seed: 5, n })).toEqual([]);
});

test("they are the first values of a property with this seed", () => {
  const drawn: number[] = [];
  fc.assert(
    fc.property(numbers, (x) => void drawn.push(x)),
    { seed: 5, numRuns: 4 },
  );
  expect(sampleOf(numbers, { seed: 5, n: 4 })).toEqual(drawn);
});

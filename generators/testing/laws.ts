import * as fc from "fast-check";
import { expect } from "vitest";
import { sampleOf } from "../samples.ts";

/**
 * Expects of an arbitrary that it draws only accepted values, draws the same values with the same
 * seed, and shrinks only to accepted values.
 */
export function expectLaws<T>(
  arbitrary: fc.Arbitrary<T>,
  accepts: (value: T) => boolean,
  n = 200,
): void {
  const drawn = sampleOf(arbitrary, { seed: 42, n });
  expect(drawn.filter((value) => !accepts(value))).toEqual([]);
  expect(sampleOf(arbitrary, { seed: 42, n })).toEqual(drawn);
  for (const seed of [1, 2, 3])
    expect(shrunkOn(arbitrary, seed).filter((value) => !accepts(value))).toEqual([]);
}

/** The values that a failing property gets to see, during shrinking as well, up to a few hundred. */
function shrunkOn<T>(arbitrary: fc.Arbitrary<T>, seed: number): readonly T[] {
  const met: T[] = [];
  const property = fc.property(arbitrary, (value) => {
    met.push(value);
    return met.length % 3 === 1 || met.length > 300;
  });
  fc.check(property, { seed, numRuns: 50 });
  return met;
}

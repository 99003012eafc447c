import * as fc from "fast-check";

/** The `n` values that `fc.check` would draw first with this seed. */
export const sampleOf = <T>(arbitrary: fc.Arbitrary<T>, { seed, n }: { seed: number; n: number }): readonly T[] =>
  n > 0 ? fc.sample(arbitrary, { seed, numRuns: n }) : [];

import * as fc from "fast-check";

/** The first `n` values that `fc.check` would draw with this seed; none if `n` is 0 or less. */
export const sampleOf = <T>(arbitrary: fc.Arbitrary<T>, { seed, n }: { seed: number; n: number }): readonly T[] =>
  fc.sample(arbitrary, { seed, numRuns: n });

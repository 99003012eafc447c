import * as fc from "fast-check";

/** The `n` values that `fc.check` would draw first with this seed; none where `n` is not above 0. */
export const sampleOf = <T>(arbitrary: fc.Arbitrary<T>, { seed, n }: { seed: number; n: number }): readonly T[] =>
  fc.sample(arbitrary, { seed, numRuns: n });

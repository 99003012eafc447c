import * as fc from "fast-check";

/** A value, and the parameters with which `fc.check` draws it again and shrinks it. */
export interface Sample<T> {
  readonly value: T;
  readonly from: { readonly seed: number; readonly path: string };
}

/** How many samples are drawn at once: enough for one property in most runs. */
const together = 500;

/** `n` values, drawn lazily, 500 at a time; none if `n` is 0 or less. The first 500 are those that `fc.check` draws. */
export function* samplesOf<T>(
  arbitrary: fc.Arbitrary<T>,
  { seed, n }: { seed: number; n: number },
): Generator<Sample<T>> {
  for (let drawn = 0; drawn < n; drawn += together) {
    const own = (seed + drawn * 7919) | 0;
    const values = fc.sample(arbitrary, { seed: own, numRuns: Math.min(together, n - drawn) });
    for (const [index, value] of values.entries()) yield { value, from: { seed: own, path: String(index) } };
  }
}

/** The first `n` values that `fc.check` would draw with this seed; none if `n` is 0 or less. */
export const sampleOf = <T>(arbitrary: fc.Arbitrary<T>, { seed, n }: { seed: number; n: number }): readonly T[] =>
  fc.sample(arbitrary, { seed, numRuns: n });

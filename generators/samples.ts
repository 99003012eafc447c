import * as fc from "fast-check";

/** A value, and the parameters with which `fc.check` draws and shrinks it again. */
interface DrawnValue<T> {
  readonly value: T;
  readonly from: { readonly seed: number; readonly path: string };
}

/** How many samples are drawn at once. In most runs, this is enough for a property. */
const together = 500;

/**
 * Draws `n` values, 500 at a time as they are needed; none if `n` is 0 or less. The first 500 are
 * those that `fc.check` draws with this seed.
 */
export function* samplesOf<T>(
  arbitrary: fc.Arbitrary<T>,
  { seed, n }: { seed: number; n: number },
): Generator<DrawnValue<T>> {
  for (let drawn = 0; drawn < n; drawn += together) {
    const own = (seed + drawn * 7919) | 0;
    const values = fc.sample(arbitrary, { seed: own, numRuns: Math.min(together, n - drawn) });
    for (const [index, value] of values.entries())
      yield { value, from: { seed: own, path: String(index) } };
  }
}

/** The first `n` values that `fc.check` draws with this seed; none if `n` is 0 or less. */
export function sampleOf<T>(
  arbitrary: fc.Arbitrary<T>,
  { seed, n }: { seed: number; n: number },
): readonly T[] {
  return fc.sample(arbitrary, { seed, numRuns: n });
}

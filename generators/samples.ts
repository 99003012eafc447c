import * as fc from "fast-check";

/** A value, and from where fast-check draws it again: parameters of `fc.check`, which shrinks from there. */
export interface Sample<T> {
  readonly value: T;
  readonly from: { readonly seed: number; readonly path: string };
}

/** Samples that are drawn together: as many as most runs need of a property. */
const together = 500;

/** `n` values, drawn as they are taken; none where `n` is not above 0. The first are those that `fc.check` would draw. */
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

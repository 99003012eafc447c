import * as fc from "fast-check";

/** Values of which a run sends some. The most revealing come first. */
export interface Pool<T> {
  /**
   * The name of the pool, such as `texts in /name`. It is unique in a run, and decides with the
   * seed what is drawn.
   */
  readonly name: string;
  readonly items: readonly T[];
  /** How many of the first items every run sends. */
  readonly always: number;
  /** How many of the other items a run sends for each 25 that `--runs` exceeds 25. @defaultValue 1 */
  readonly drawn?: number;
}

export interface Drawn<T> {
  readonly item: T;
  /**
   * Whether every run sends the item. Only then is the answer to it reported as an observation,
   * because the cases of an open question must be the same in every run.
   */
  readonly isAlways: boolean;
}

/**
 * `everything`: with this value of `--runs`, all items are drawn. `usual`: the default of `--runs`.
 */
const everything = 1000;
const usual = 25;

/**
 * The first items of a pool: all that a run with the default of `runs` sends, so that every seed
 * sends the same. A larger `runs` draws others, which the name of the pool and the seed choose, and
 * 1,000 draws all. Successive seeds draw different ones in turn.
 */
export function drawnFrom<T>(
  { name, items, always, drawn = 1 }: Pool<T>,
  { seed, runs }: { readonly seed: number; readonly runs: number },
): readonly Drawn<T>[] {
  const others = inOrderOf(name, items.slice(always));
  const more = Math.max(0, runs - usual);
  const share = Math.max(
    Math.ceil(drawn * (more / usual)),
    Math.floor(others.length * (more / (everything - usual))),
  );
  const n = Math.min(others.length, share);
  // The next seed starts after the `n` items that this seed draws.
  const start =
    others.length === 0 ? 0 : (((seed % others.length) * n) % others.length) + others.length;
  return [
    ...items.slice(0, always).map((item) => ({ item, isAlways: true })),
    ...others
      .map((_, step) => others[(start + step) % others.length])
      .slice(0, n)
      .map((item) => ({ item: item as T, isAlways: false })),
  ];
}

/**
 * The items in an order that depends only on the name of the pool, so that pools with the same
 * items draw different ones. The order never changes, so that runs of successive seeds complete
 * each other even in another version. A generator of fast-check would change it with an update.
 */
function inOrderOf<T>(name: string, items: readonly T[]): readonly T[] {
  let state = [...name].reduce(
    (hash, character) => Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193),
    7,
  );
  const keyed = items.map((item) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return { item, key: state >>> 8 };
  });
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

/** A value, and the parameters with which `fc.check` draws and shrinks it again. */
export interface DrawnValue<T> {
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

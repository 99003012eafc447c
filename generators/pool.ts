import * as fc from "fast-check";

/** Values of which a run sends some. Those that most likely show a fault come first. */
export interface Pool<T> {
  /** Unique in a run, such as `texts in /name`. Name and seed decide what is drawn. */
  readonly name: string;
  readonly items: readonly T[];
  /** How many of the first items every run sends. */
  readonly always: number;
  /** How many of the others a run sends with `--runs 25`, the default. @defaultValue 1 */
  readonly drawn?: number;
}

export interface Drawn<T> {
  readonly item: T;
  /**
   * Whether every run sends it. Only such items become observations, because their cases must not
   * vary.
   */
  readonly isAlways: boolean;
}

/** The value of `--runs` from which all items are drawn, and its default. */
const everything = 1000;
const usual = 25;

/**
 * The first items, and others by name and seed: more with larger `runs`, all from 1,000 on. Seeds
 * continue in turn.
 */
export function drawnFrom<T>(
  { name, items, always, drawn = 1 }: Pool<T>,
  { seed, runs }: { readonly seed: number; readonly runs: number },
): readonly Drawn<T>[] {
  const others = inOrderOf(name, items.slice(always));
  const share = Math.max(
    Math.ceil(drawn * (runs / usual)),
    Math.floor(others.length * (runs / everything)),
  );
  const n = Math.min(others.length, share);
  // The next seed starts after the `n` items that this one draws.
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
 * The items in an order that depends only on the name, so that pools with the same items draw
 * different ones. Runs of successive seeds complete each other, in another version too: a generator
 * of fast-check gives another order once it is updated.
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

/** A value, and the parameters with which `fc.check` draws it again and shrinks it. */
export interface DrawnValue<T> {
  readonly value: T;
  readonly from: { readonly seed: number; readonly path: string };
}

/** How many samples are drawn at once: enough for one property in most runs. */
const together = 500;

/**
 * `n` values, drawn lazily, 500 at a time; none if `n` is 0 or less. The first 500 are those that
 * `fc.check` draws.
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

/** The first `n` values that `fc.check` would draw with this seed; none if `n` is 0 or less. */
export function sampleOf<T>(
  arbitrary: fc.Arbitrary<T>,
  { seed, n }: { seed: number; n: number },
): readonly T[] {
  return fc.sample(arbitrary, { seed, numRuns: n });
}

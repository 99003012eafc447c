/** Values to send, the likeliest to show a fault first. */
export interface Pool<T> {
  /** Unique in a run, such as `texts in /name`: with the seed it decides what is drawn. */
  readonly name: string;
  readonly items: readonly T[];
  /** So many of the first items are in every run. */
  readonly always: number;
  /** So many of the others are in a run of 25 samples a property, the default. */
  readonly drawn: number;
}

/** An item that was drawn, and whether every run has it: only then may it be observed, as cases do not vary. */
export interface Drawn<T> {
  readonly item: T;
  readonly isAlways: boolean;
}

/** What decides how much is drawn, and which items: the run's own seed and number of samples. */
export interface Depth {
  readonly seed: number;
  readonly runs: number;
}

/** So many samples a property are everything that there is. */
const everything = 1000;
const usual = 25;

/**
 * The first items, and some of the others without repeats: as many as `runs` asks for, all of them from 1,000 on. The
 * others take turns in an order of the pool's own, so that consecutive seeds draw different ones until all were drawn.
 */
export const drawnFrom = <T>({ name, items, always, drawn }: Pool<T>, { seed, runs }: Depth): readonly Drawn<T>[] => {
  const others = inOrderOf(name, items.slice(always));
  const share = Math.max(Math.ceil(drawn * (runs / usual)), Math.floor(others.length * (runs / everything)));
  const n = Math.min(others.length, share);
  // With the number of the default, a step of one seed is a step over what the seed before it drew.
  const start = others.length === 0 ? 0 : (((seed % others.length) * n) % others.length) + others.length;
  return [
    ...items.slice(0, always).map((item) => ({ item, isAlways: true })),
    ...others
      .map((_, step) => others[(start + step) % others.length])
      .slice(0, n)
      .map((item) => ({ item: item as T, isAlways: false })),
  ];
};

/** The items in an order that depends on the name alone, so that pools of the same items differ in what they draw. */
const inOrderOf = <T>(name: string, items: readonly T[]): readonly T[] => {
  let state = [...name].reduce((hash, character) => Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193), 7);
  const keyed = items.map((item) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return { item, key: state >>> 8 };
  });
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
};

/** For some or all attributes, one of their values. */
export type Row = Readonly<Record<string, string>>;

/** What a covering array is made of. */
export interface Design {
  /** The values of each attribute, the most usual ones first. */
  readonly attributes: Readonly<Record<string, readonly string[]>>;
  /**
   * Combinations that cannot occur. Each names values of some attributes: a row must not have one of
   * the values of each of them.
   */
  readonly excluded?: readonly Readonly<Record<string, readonly string[]>>[];
  /** Attributes of which all pairs of values must occur. @defaultValue one group of all attributes */
  readonly groups?: readonly (readonly string[])[];
  /** Attributes that keep their first value where no other one adds a pair. @defaultValue none */
  readonly settled?: readonly string[];
  /**
   * Rows of which each row takes over one: the payee of an operation, for example. @defaultValue
   * rows are free
   */
  readonly from?: readonly Row[];
  /** Rows that are there anyway. The array begins with them. @defaultValue none */
  readonly given?: readonly Row[];
}

/** A row in numbers: for each attribute the index of its value, or -1 while it has none. */
type Indexes = readonly number[];

/**
 * Rows in which each possible pair of two attributes occurs (a covering array of strength two). The
 * same design gives the same rows. Throws an error if a pair is possible, but the values of the
 * other attributes exclude each other.
 *
 * Greedy: takes the first pair that does not occur yet, and gives each other attribute the value
 * that adds most pairs, or else the one that was used least.
 */
export function coveringArray(design: Design): readonly Row[] {
  const { from = [{}], given = [], settled = [] } = design;
  const { names, values, isAllowed, groupsOf, rowsWith, keyOf, indexesOf } = gridOf(design);
  const pairs = groupsOf(2);
  const bases = from.map((row) => ({ row, indexes: indexesOf(row), uses: 0 }));
  const agrees = (base: Indexes, row: Indexes): boolean =>
    row.every((value, at) => value === -1 || base[at] === -1 || base[at] === value);
  const startAt = (base: Indexes, pair: Indexes): Indexes =>
    base.map((value, at) => (value === -1 ? (pair[at] ?? -1) : value));
  const isPossible = (base: Indexes, pair: Indexes): boolean =>
    agrees(base, pair) && isAllowed(startAt(base, pair));
  const open = new Map(
    pairs.flatMap((places) =>
      rowsWith(places)
        .filter((pair) => bases.some(({ indexes }) => isPossible(indexes, pair)))
        .map((pair) => [keyOf(pair, places), pair] as const),
    ),
  );
  const uses = values.map((all) => all.map(() => 0));
  /** How many pairs a row adds, at these pairs of attributes. */
  const gainOf = (row: Indexes, some = pairs): number =>
    some.filter((places) => open.has(keyOf(row, places))).length;
  const rows: Row[] = [];
  const add = (indexes: Indexes, more: Row): void => {
    for (const places of pairs) open.delete(keyOf(indexes, places));
    for (const [at, value] of indexes.entries()) {
      const counts = uses[at] ?? [];
      counts[value] = (counts[value] ?? 0) + 1;
    }
    const own = names.flatMap((name, at) => {
      const value = values[at]?.[indexes[at] ?? -1];
      return value === undefined ? [] : [[name, value]];
    });
    rows.push({ ...more, ...Object.fromEntries(own) });
  };
  const ofAttribute = names.map((_, at) => pairs.filter((places) => places.includes(at)));
  const completed = (start: Indexes): Indexes =>
    start.reduce<Indexes>((row, chosen, at) => {
      if (chosen !== -1) return row;
      const isSettled = settled.includes(names[at] ?? "");
      const possible = (values[at] ?? []).map((_, value) => row.with(at, value)).filter(isAllowed);
      return firstBest(possible, (one) => [
        gainOf(one, ofAttribute[at]),
        isSettled ? 0 : -(uses[at]?.[one[at] ?? -1] ?? 0),
      ]);
    }, start);
  for (const row of given) add(indexesOf(row), row);
  for (let [next] = open.values(); next !== undefined; [next] = open.values()) {
    const pair = next;
    const base = firstBest(
      bases.filter(({ indexes }) => isPossible(indexes, pair)),
      ({ indexes, uses: used }) => [gainOf(startAt(indexes, pair)), -used],
    );
    base.uses += 1;
    add(completed(startAt(base.indexes, pair)), base.row);
  }
  return rows;
}

/** Whether a row has none of the excluded combinations. What it leaves open excludes nothing. */
export function isAllowed(row: Row, { excluded = [] }: Design): boolean {
  return !excluded.some((combination) =>
    Object.entries(combination).every(([name, values]) => values.includes(row[name] ?? "")),
  );
}

/** The attributes and values of a design by their indexes, in which all counting is done. */
export function gridOf({ attributes, excluded = [], groups }: Design) {
  const names = Object.keys(attributes);
  const values = Object.values(attributes);
  const most = 1 + Math.max(0, ...values.map(({ length }) => length));
  const wanted = (groups ?? [names]).map((group) => new Set(group));
  const isWanted = (one: number, other: number): boolean =>
    wanted.some((group) => group.has(names[one] ?? "") && group.has(names[other] ?? ""));
  const exclusions = excluded.map((combination) =>
    Object.entries(combination).map(([name, some]) => ({
      at: names.indexOf(name),
      isMeant: (attributes[name] ?? []).map((value) => some.includes(value)),
    })),
  );
  const isAllowed = (row: Indexes): boolean =>
    !exclusions.some((all) => all.every(({ at, isMeant }) => isMeant[row[at] ?? -1] === true));
  const open: Indexes = names.map(() => -1);
  return {
    names,
    values,
    isAllowed,
    indexesOf: (row: Row): Indexes =>
      names.map((name, at) => values[at]?.indexOf(row[name] ?? "") ?? -1),
    /** So many attributes, by their indexes, of which each two make pairs: in all ways. */
    groupsOf: (size: number): readonly (readonly number[])[] =>
      Array.from({ length: size }).reduce<readonly (readonly number[])[]>(
        (groups) =>
          groups.flatMap((group) =>
            names.flatMap((_, at) =>
              at > (group.at(-1) ?? -1) && group.every((one) => isWanted(one, at))
                ? [[...group, at]]
                : [],
            ),
          ),
        [[]],
      ),
    /** All ways to give these attributes values that do not exclude each other. */
    rowsWith: (places: readonly number[]): readonly Indexes[] =>
      places
        .reduce(
          (rows, place) =>
            rows.flatMap((row) => (values[place] ?? []).map((_, value) => row.with(place, value))),
          [open],
        )
        .filter(isAllowed),
    /** A number for the values of these attributes in a row. */
    keyOf: (row: Indexes, places: readonly number[]): number =>
      places.reduce((key, at) => (key * names.length + at) * most + 1 + (row[at] ?? -1), 1),
  };
}

/** The first item with the highest marks. The second mark counts where the first are equal. */
function firstBest<T>(
  items: readonly T[],
  marksOf: (item: T) => readonly [first: number, second: number],
): T {
  const marked = items.map((item) => ({ item, marks: marksOf(item) }));
  const [best] = marked.sort((a, b) => b.marks[0] - a.marks[0] || b.marks[1] - a.marks[1]);
  if (best === undefined) throw new Error("the values of the design exclude each other");
  return best.item;
}

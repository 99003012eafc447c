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

/** A pair of values: two attributes, by their index, and the index of a value of each. */
type Pair = readonly [one: number, value: number, other: number, otherValue: number];

/**
 * Rows in which each possible pair of values of two attributes occurs (a covering array of strength
 * two). The same design gives the same rows. Throws an error if a pair is possible, but the values
 * of the other attributes exclude each other.
 *
 * Greedy: takes the first pair that does not occur yet, and gives each other attribute the value
 * that adds most pairs, or else the one that was used least.
 */
export function coveringArray(design: Design): readonly Row[] {
  const grid = gridOf(design);
  const { from = [{}], given = [] } = design;
  const bases = from.map((row) => ({ row, indexes: grid.indexesOf(row) }));
  const baseUses = bases.map(() => 0);
  const uses = grid.values.map((values) => values.map(() => 0));
  const open = new Map(grid.possible().map((pair) => [grid.keyOf(pair), pair]));
  const rows: Row[] = [];
  const add = (indexes: Indexes, more: Row): void => {
    for (const pair of grid.pairsOf(indexes)) open.delete(grid.keyOf(pair));
    for (const [at, value] of indexes.entries()) {
      const counts = uses[at] ?? [];
      counts[value] = (counts[value] ?? 0) + 1;
    }
    rows.push({ ...more, ...grid.rowOf(indexes) });
  };
  const isOpen = (pair: Pair): boolean => open.has(grid.keyOf(pair));
  const completed = (start: Indexes): Indexes => {
    const row = [...start];
    for (const [at, values] of grid.values.entries()) {
      if (row[at] !== -1) continue;
      const isSettled = design.settled?.includes(grid.names[at] ?? "") === true;
      row[at] = firstBest(
        values.map((_, value) => value).filter((value) => grid.isAllowed(row.with(at, value))),
        (value) => [
          grid.pairsWith(row.with(at, value), at).filter(isOpen).length,
          isSettled ? 0 : -(uses[at]?.[value] ?? 0),
        ],
        `no value of ${grid.names[at]} fits ${JSON.stringify(grid.rowOf(row))}`,
      );
    }
    return row;
  };
  for (const row of given) add(grid.indexesOf(row), row);
  for (let [next] = open.values(); next !== undefined; [next] = open.values()) {
    const [one, value, other, otherValue] = next;
    const starts = bases.flatMap(({ indexes }, base) => {
      const agrees = [one, other].every((at, nth) => {
        const wanted = nth === 0 ? value : otherValue;
        return indexes[at] === -1 || indexes[at] === wanted;
      });
      const start = indexes.with(one, value).with(other, otherValue);
      return agrees && grid.isAllowed(start) ? [{ base, start }] : [];
    });
    const chosen = firstBest(
      starts,
      ({ base, start }) => [grid.pairsOf(start).filter(isOpen).length, -(baseUses[base] ?? 0)],
      "no row can have a pair",
    );
    baseUses[chosen.base] = (baseUses[chosen.base] ?? 0) + 1;
    add(completed(chosen.start), bases[chosen.base]?.row ?? {});
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
export function gridOf({ attributes, excluded = [], groups, from = [{}] }: Design) {
  const names = Object.keys(attributes);
  const values = Object.values(attributes);
  const most = Math.max(0, ...values.map(({ length }) => length));
  const wanted = (groups ?? [names]).map((group) => new Set(group));
  const partners = names.map((name) =>
    names.flatMap((other, at) =>
      other !== name && wanted.some((group) => group.has(name) && group.has(other)) ? [at] : [],
    ),
  );
  const exclusions = excluded.map((combination) =>
    Object.entries(combination).map(([name, some]) => ({
      at: names.indexOf(name),
      isMeant: (attributes[name] ?? []).map((value) => some.includes(value)),
    })),
  );
  const isAllowed = (row: Indexes): boolean =>
    !exclusions.some((all) => all.every(({ at, isMeant }) => isMeant[row[at] ?? -1] === true));
  const pairsWith = (row: Indexes, one: number): readonly Pair[] =>
    (partners[one] ?? []).flatMap((other): readonly Pair[] => {
      const [value = -1, otherValue = -1] = [row[one], row[other]];
      if (value === -1 || otherValue === -1) return [];
      return [one < other ? [one, value, other, otherValue] : [other, otherValue, one, value]];
    });
  const pairsOf = (row: Indexes): readonly Pair[] =>
    names.flatMap((_, one) => pairsWith(row, one).filter(([first]) => first === one));
  const indexesOf = (row: Row): Indexes =>
    names.map((name, at) => values[at]?.indexOf(row[name] ?? "") ?? -1);
  const bases = from.map(indexesOf);
  return {
    names,
    values,
    isAllowed,
    pairsWith,
    pairsOf,
    indexesOf,
    rowOf: (row: Indexes): Row =>
      Object.fromEntries(
        names.flatMap((name, at) => {
          const value = values[at]?.[row[at] ?? -1];
          return value === undefined ? [] : [[name, value]];
        }),
      ),
    keyOf: ([one, value, other, otherValue]: Pair): number =>
      ((one * most + value) * names.length + other) * most + otherValue,
    /** All pairs that a row can have. */
    possible: (): readonly Pair[] =>
      names.flatMap((_, one) =>
        (partners[one] ?? [])
          .filter((other) => other > one)
          .flatMap((other) =>
            (values[one] ?? []).flatMap((_value, value) =>
              (values[other] ?? []).flatMap((_other, otherValue): readonly Pair[] =>
                bases.some(
                  (base) =>
                    (base[one] === -1 || base[one] === value) &&
                    (base[other] === -1 || base[other] === otherValue) &&
                    isAllowed(base.with(one, value).with(other, otherValue)),
                )
                  ? [[one, value, other, otherValue]]
                  : [],
              ),
            ),
          ),
      ),
  };
}

/**
 * The first item with the highest marks. The second mark counts where the first are equal. Throws an
 * error with this text if there is no item.
 */
function firstBest<T>(
  items: readonly T[],
  marksOf: (item: T) => readonly [first: number, second: number],
  otherwise: string,
): T {
  const [first, ...others] = items.map((item) => ({ item, marks: marksOf(item) }));
  if (first === undefined) throw new Error(otherwise);
  return others.reduce(
    (best, one) =>
      one.marks[0] > best.marks[0] ||
      (one.marks[0] === best.marks[0] && one.marks[1] > best.marks[1])
        ? one
        : best,
    first,
  ).item;
}

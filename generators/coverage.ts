import { gridOf, type Design, type Row } from "./covering-array.ts";

/** A valid request that was sent for a row of a design. */
export interface SentRow {
  /** What the row describes: `payees`. Rows of one kind have one design. */
  readonly kind: string;
  readonly design: Design;
  readonly row: Row;
  /** The status of the response. */
  readonly status: number;
}

/** Which combinations occurred in the rows that a server accepted, by kind. */
export function coverageOf(sent: readonly SentRow[]) {
  const kinds = [...new Set(sent.map(({ kind }) => kind))];
  return kinds.map((kind) => coverageOfKind(sent.filter((one) => one.kind === kind)));
}

function coverageOfKind(sent: readonly SentRow[]) {
  // Where values turned out to be refused, later rows are of a design without them.
  const { kind = "", design = { attributes: {} } } = sent.at(-1) ?? {};
  const { pairs, triples, combinationsIn } = combinationsOf(design);
  const accepted = sent.filter(({ status }) => status < 300);
  const found = new Set(accepted.flatMap(({ row }) => combinationsIn(row)));
  const statuses = new Map<number, number>();
  for (const { row, status } of sent)
    if (status >= 300) for (const key of combinationsIn(row)) statuses.set(key, status);
  const left = pairs.filter(({ key }) => !found.has(key));
  return {
    of: kind,
    groups: groupsOf(design),
    pairs: { covered: pairs.length - left.length, of: pairs.length },
    triples: {
      covered: triples.filter((key) => found.has(key)).length,
      of: triples.length,
    },
    missing: byValue(left, pairs, statuses),
  };
}

const groupsOf = ({ attributes, groups = [Object.keys(attributes)] }: Design) => groups;

/** A pair of values of two attributes. */
interface Pair {
  readonly key: number;
  /** Both values with their attributes: `bank_country CN`. */
  readonly values: readonly string[];
}

/**
 * Sorts pairs under the value that most of them share, then what is left under the next one.
 * `status`: with which a row with such a pair was refused; absent if none was sent.
 */
function byValue(
  pairs: readonly Pair[],
  all: readonly Pair[],
  statuses: ReadonlyMap<number, number>,
) {
  const found: { with: string; pairs: number; status?: number }[] = [];
  const inAll = countsOf(all);
  const isIn = (value: string): number => inAll.get(value) ?? 0;
  for (let left = pairs; left.length > 0;) {
    // Of two values that are shared equally often, the rarer one says more.
    const [[value, count] = ["", 0]] = [...countsOf(left)].sort(
      ([one, a], [other, b]) => b - a || isIn(one) - isIn(other),
    );
    const own = left.filter(({ values }) => values.includes(value));
    const status = own.flatMap(({ key }) => statuses.get(key) ?? [])[0];
    found.push({ with: value, pairs: count, ...(status !== undefined && { status }) });
    left = left.filter((pair) => !own.includes(pair));
  }
  return found;
}

/** How many pairs have each value. */
function countsOf(pairs: readonly Pair[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of pairs.flatMap(({ values }) => values))
    counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** All pairs and triples that a row of a design can have, and those that a row has. */
function combinationsOf(design: Design) {
  const known = counted.get(design) ?? newCombinations(design);
  counted.set(design, known);
  return known;
}

const counted = new WeakMap<Design, ReturnType<typeof newCombinations>>();

function newCombinations(design: Design) {
  const { names, values, groupsOf: placesOf, rowsWith, keyOf, indexesOf } = gridOf(design);
  const [pairs, triples] = [placesOf(2), placesOf(3)];
  return {
    pairs: pairs.flatMap((places) =>
      rowsWith(places).map((row): Pair => ({
        key: keyOf(row, places),
        values: places.map((place) => `${names[place]} ${values[place]?.[row[place] ?? -1]}`),
      })),
    ),
    triples: triples.flatMap((places) => rowsWith(places).map((row) => keyOf(row, places))),
    combinationsIn: (row: Row): readonly number[] => {
      const indexes = indexesOf(row);
      return [...pairs, ...triples].map((places) => keyOf(indexes, places));
    },
  };
}

import { expect, test } from "vitest";
import { pairsIn } from "./testing/pairs.ts";
import { coveringArray, isAllowed, type Design, type Row } from "./covering-array.ts";

const meals = {
  attributes: {
    bread: ["rye", "wheat", "none"],
    cheese: ["hard", "soft"],
    drink: ["tea", "water", "milk", "juice"],
    size: ["small", "large"],
  },
  excluded: [{ bread: ["none"], cheese: ["soft"] }],
} as const satisfies Design;

const hasBoth = (rows: readonly Row[], pair: Row): boolean =>
  rows.some((row) => Object.entries(pair).every(([name, value]) => row[name] === value));

/** All pairs of values of these attributes, found without the module under test. */
function pairsOf(attributes: Design["attributes"]): readonly Row[] {
  const entries = Object.entries(attributes);
  return entries.flatMap(([one, values], at) =>
    entries
      .slice(at + 1)
      .flatMap(([other, others]) =>
        values.flatMap((value) => others.map((second) => ({ [one]: value, [other]: second }))),
      ),
  );
}

test("each pair that is not excluded occurs, and no excluded one does", () => {
  const rows = coveringArray(meals);
  for (const pair of pairsOf(meals.attributes)) {
    const isExcluded = pair["bread"] === "none" && pair["cheese"] === "soft";
    expect(`${JSON.stringify(pair)} ${hasBoth(rows, pair)}`).toBe(
      `${JSON.stringify(pair)} ${!isExcluded}`,
    );
  }
  expect(rows.every((row) => isAllowed(row, meals))).toBe(true);
  expect(pairsIn(meals, rows)).toEqual({ of: 43, covered: 43 });
});

test("rows that are given come first, and are not made again", () => {
  const all = coveringArray(meals);
  expect(coveringArray({ ...meals, given: all })).toEqual(all);
  const [first = {}] = all;
  expect(coveringArray({ ...meals, given: [first] })[0]).toEqual(first);
});

test("an attribute that is settled keeps its first value where no other adds a pair", () => {
  const settled = coveringArray({ ...meals, settled: ["size"] });
  const small = settled.filter(({ size }) => size === "small").length;
  expect(small).toBeGreaterThan(settled.length / 2);
});

test("a pair that is possible, while the others exclude each other, is an error", () => {
  const attributes = { one: ["a"], two: ["b"], three: ["c", "d"] };
  const excluded: Design["excluded"] = [
    { one: ["a"], three: ["c"] },
    { two: ["b"], three: ["d"] },
  ];
  expect(() => coveringArray({ attributes, excluded })).toThrow("exclude each other");
});

import { expect, test } from "vitest";
import { coverageOf, type SentRow } from "./coverage.ts";
import { coveringArray, type Design, type Row } from "./covering-array.ts";

const meals = {
  attributes: {
    bread: ["rye", "wheat", "none"],
    cheese: ["hard", "soft"],
    drink: ["tea", "water"],
  },
  excluded: [{ bread: ["none"], cheese: ["soft"] }],
} as const satisfies Design;

const sent = (rows: readonly Row[], status = 200, design: Design = meals): readonly SentRow[] =>
  rows.map((row) => ({ kind: "meals", design, row, status }));

const all = ["rye", "wheat", "none"].flatMap((bread) =>
  ["hard", "soft"].flatMap((cheese) =>
    bread === "none" && cheese === "soft"
      ? []
      : ["tea", "water"].map((drink): Row => ({ bread, cheese, drink })),
  ),
);

test("all rows that can be have all pairs and triples", () => {
  // 6 pairs of bread and cheese without the excluded one, 6 of bread and drink, 4 of the others.
  expect(coverageOf(sent(all))).toEqual([
    {
      of: "meals",
      groups: [["bread", "cheese", "drink"]],
      pairs: { covered: 15, of: 15 },
      triples: { covered: 10, of: 10 },
      missing: [],
    },
  ]);
});

test("a covering array has all pairs, and not all triples", () => {
  const [coverage] = coverageOf(sent(coveringArray(meals)));
  expect(coverage?.pairs).toEqual({ covered: 15, of: 15 });
  expect(coverage?.triples.covered).toBe(coveringArray(meals).length);
});

test("what was refused is named with its status, under the value that most pairs share", () => {
  const isRye = ({ bread }: Row): boolean => bread === "rye";
  const rows = [...sent(all.filter((row) => !isRye(row))), ...sent(all.filter(isRye), 422)];
  expect(coverageOf(rows)).toMatchObject([
    { pairs: { covered: 11, of: 15 }, missing: [{ with: "bread rye", pairs: 4, status: 422 }] },
  ]);
});

test("what was not sent is named without a status, and a later success covers a refusal", () => {
  const rows = all.filter(({ drink }) => drink === "tea");
  expect(coverageOf([...sent(rows, 403), ...sent(rows)])).toMatchObject([
    { pairs: { covered: 10, of: 15 }, missing: [{ with: "drink water", pairs: 5 }] },
  ]);
  expect(coverageOf(sent(rows))[0]?.missing).toEqual([{ with: "drink water", pairs: 5 }]);
});

test("only pairs of a group count, and only triples of which each two are such a pair", () => {
  const design = { ...meals, groups: [["bread", "cheese"], ["drink"]] };
  const [coverage] = coverageOf(sent(all, 200, design));
  expect(coverage).toMatchObject({ pairs: { covered: 5, of: 5 }, triples: { covered: 0, of: 0 } });
});

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { drawnFrom, sampleOf, samplesOf, type Pool } from "./pool.ts";

function pool(more: Partial<Pool<number>> = {}): Pool<number> {
  return {
    name: "numbers",
    items: Array.from({ length: 20 }, (_, n) => n),
    always: 3,
    drawn: 2,
    ...more,
  };
}

function itemsOf(seed: number, runs = 25, of = pool()): readonly number[] {
  return drawnFrom(of, { seed, runs }).map(({ item }) => item);
}

test("the first items are in every run, and a larger value of runs adds some of the others", () => {
  for (let seed = -5; seed < 100; seed += 1) {
    const drawn = drawnFrom(pool(), { seed, runs: 50 });
    expect(drawn.filter(({ isAlways }) => isAlways).map(({ item }) => item)).toEqual([0, 1, 2]);
    expect(new Set(drawn.map(({ item }) => item)).size).toBe(5);
  }
});

test.each([1, 7919, -3])("a few seeds that are %i apart draw all items", (step) => {
  const seen = new Set(Array.from({ length: 17 }, (_, n) => itemsOf(1 + n * step, 50)).flat());
  expect(seen.size).toBe(20);
});

test.each([
  [1, 3],
  [25, 3],
  [50, 5],
  [100, 9],
  [1000, 20],
  [5000, 20],
])("%i samples a property draw %i of 20 items", (runs, n) => {
  expect(new Set(itemsOf(3, runs)).size).toBe(n);
});

test("pools of the same items draw different ones, and short pools are used up", () => {
  const others = (name: string) => itemsOf(1, 100, pool({ name })).slice(3).join();
  expect(others("texts in /name")).not.toBe(others("texts in /merchant"));
  expect(itemsOf(1, 25, pool({ items: [1, 2] }))).toEqual([1, 2]);
  expect(itemsOf(1, 25, pool({ items: [] }))).toEqual([]);
});

const numbers = fc.integer({ min: 0, max: 1_000_000 });

test("the first samples are those that a check draws first, and all are the same with the same seed", () => {
  const values = (n: number) => [...samplesOf(numbers, { seed: 5, n })].map(({ value }) => value);
  expect(values(30)).toEqual(sampleOf(numbers, { seed: 5, n: 30 }));
  expect(values(1200)).toHaveLength(1200);
  expect(values(1200)).toEqual(values(1200));
  expect(values(1200).slice(0, 700)).toEqual(values(700));
  for (const n of [0, -1]) expect(values(n)).toEqual([]);
});

test.each([0, 3, 499, 500, 1001])(
  "fast-check draws sample %i again from where it says",
  (index) => {
    const { value, from } = [...samplesOf(numbers, { seed: -7, n: 1100 })][index] ?? {
      value: -1,
      from: { seed: 0 },
    };
    const seen: number[] = [];
    fc.check(
      fc.property(numbers, (one) => void seen.push(one)),
      { ...from, numRuns: 1 },
    );
    expect(seen).toEqual([value]);
  },
);

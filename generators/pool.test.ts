import { expect, test } from "vitest";
import { drawnFrom, type Pool } from "./pool.ts";

const pool = (more: Partial<Pool<number>> = {}): Pool<number> => ({
  name: "numbers",
  items: Array.from({ length: 20 }, (_, n) => n),
  always: 3,
  drawn: 2,
  ...more,
});

const itemsOf = (seed: number, runs = 25, of = pool()): readonly number[] =>
  drawnFrom(of, { seed, runs }).map(({ item }) => item);

test("the first items are in every run, and some of the others", () => {
  for (let seed = -5; seed < 100; seed += 1) {
    const drawn = drawnFrom(pool(), { seed, runs: 25 });
    expect(drawn.filter(({ isAlways }) => isAlways).map(({ item }) => item)).toEqual([0, 1, 2]);
    expect(new Set(drawn.map(({ item }) => item)).size).toBe(5);
  }
});

test("the same seed draws the same", () => {
  expect(itemsOf(1147)).toEqual(itemsOf(1147));
});

test.each([1, 7919, -3])("a few seeds that are %i apart draw all items", (step) => {
  const seen = new Set(Array.from({ length: 17 }, (_, n) => itemsOf(1 + n * step)).flat());
  expect(seen.size).toBe(20);
});

test.each([
  [1, 4],
  [25, 5],
  [100, 11],
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

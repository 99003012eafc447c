import { expect, test } from "vitest";
import { seedFor } from "./context.ts";

test("a seed is the same for the same run and name, and another for any other", () => {
  expect(seedFor(1147, "OPER-02")).toBe(seedFor(1147, "OPER-02"));
  const seeds = [0, 1, 2, 1147, -1].flatMap((seed) =>
    ["", "OPER-02", "OPER-20", "OPER-03"].map((name) => seedFor(seed, name)),
  );
  expect(new Set(seeds).size).toBe(20);
  expect(seeds.every((seed) => Number.isInteger(seed) && Math.abs(seed) <= 2 ** 31)).toBe(true);
});

test("a seed does not move between versions, since reports name it: FNV-1a for the run seed 0", () => {
  expect(seedFor(0, "")).toBe(0x811c9dc5 | 0);
  expect(seedFor(0, "a")).toBe(0xe40c292c | 0);
  expect(seedFor(0, "foobar")).toBe(0xbf9cf968 | 0);
});

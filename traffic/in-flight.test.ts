import { expect, test } from "vitest";
import { createInFlight } from "./in-flight.ts";

test.each([
  [
    "one after the other",
    [
      [0, 5],
      [5, 5],
      [10, 1],
    ],
    1,
  ],
  [
    "two that overlap",
    [
      [0, 5],
      [4, 5],
      [20, 1],
    ],
    2,
  ],
  [
    "a long one beside short ones",
    [
      [0, 100],
      [1, 2],
      [4, 2],
      [5, 90],
    ],
    3,
  ],
  [
    "all at once",
    [
      [0, 9],
      [0, 9],
      [0, 9],
      [0, 9],
    ],
    4,
  ],
  ["none", [], 0],
] as const)("%s", (_, rows, most) => {
  const { add, peak } = createInFlight();
  for (const [at, took] of rows) add(at, took);
  expect(peak()).toBe(most);
});

import { expect, test } from "vitest";
import { createInFlight } from "./in-flight.ts";

test.each([
  ["one after the other", [0, 5, 10], [5, 5, 1], 1],
  ["two that overlap", [0, 4, 20], [5, 5, 1], 2],
  ["a long one beside short ones", [0, 1, 4, 5], [100, 2, 2, 90], 3],
  ["all at once", [0, 0, 0, 0], [9, 9, 9, 9], 4],
  ["none", [], [], 0],
] as const)("%s: sent at %j, and taking %j", (_, sent, took, most) => {
  const { add, peak } = createInFlight();
  for (const [index, at] of sent.entries()) add(at, took[index] ?? 0);
  expect(peak()).toBe(most);
});

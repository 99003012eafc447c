import { expect, test } from "vitest";
import type { InterpretationId } from "../spec/interpretations.ts";
import { prose } from "../spec/prose.ts";
import { waits } from "./bounds.ts";

const seconds = (ms: number): number => ms / 1000;
const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);
const numbers = ["no", "one", "two", "three"] as const;
const inWords = (count: number): string => numbers[count] ?? String(count);

const { throttled, throttledInARow, throttledWithoutTime, usualLockOut, usualLag, wholeRun } =
  waits;

const readings: readonly (readonly [InterpretationId, string])[] = [
  [
    "INT-13",
    `at most ${seconds(throttled)} seconds at a time and ${seconds(throttledInARow)} seconds in a row`,
  ],
  ["INT-13", `as long as Retry-After says, or ${inWords(seconds(throttledWithoutTime))} second`],
  ["INT-43", `up to ${seconds(usualLag)} s until something new is known`],
  ["INT-43", `bad credentials that ends within ${seconds(usualLockOut)} s`],
  ["INT-50", `ends within ${inWords(seconds(wholeRun) / 60)} minutes`],
];

test.each(readings)("%s states the wait of the table: %s", (id, text) => {
  expect(prose.interpretations[id].reading).toContain(text);
});

test("the pauses outlast the lock-out of a usual server, and a run ends in time after its last request", () => {
  expect(sum(waits.lockOut)).toBeGreaterThan(usualLockOut);
  expect(Math.max(...waits.lockOut)).toBeLessThan(throttled);
  expect(waits.lastRequest).toBeLessThan(wholeRun);
  expect(throttled).toBeLessThan(throttledInARow);
});

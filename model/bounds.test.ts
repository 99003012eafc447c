import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { interpretationOf, type InterpretationId } from "../spec/interpretations.ts";
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
  expect(interpretationOf(id).reading).toContain(text);
});

const pages: readonly (readonly [page: string, text: string])[] = [
  [
    "implementer",
    `at most ${seconds(throttled)} s once and ${seconds(throttledInARow)} s in a row`,
  ],
  [
    "implementer",
    `waits ${waits.block
      .map(seconds)
      .join(", ")
      .replace(/, (\d+)$/, " and $1")} s and retries`,
  ],
  ["implementer", `tries again ${inWords(waits.gatewayError.length)} times, more slowly`],
  ["implementer", `tries again up to ${inWords(waits.conflict.length)} times, while`],
  ["operator", `more than ${seconds(waits.badCredentials)} s in all`],
];

test.each(pages)("docs/%s.md states the wait of the table: %s", (page, text) => {
  expect(readFileSync(`docs/${page}.md`, "utf8")).toContain(text);
});

test("no other number of seconds stands in the readings on limits and lock-outs", () => {
  const stated = new Set([throttled, throttledInARow, usualLockOut, usualLag].map(seconds));
  // INT-43 has other numbers of seconds as well, for tokens and for responses.
  const others = new Set([5]);
  const found = (["INT-13", "INT-17", "INT-43", "INT-50"] as const).flatMap((id) =>
    [...interpretationOf(id).reading.matchAll(/(\d+) (?:s|seconds)\b/g)].map(([, n]) => Number(n)),
  );
  expect(found.filter((n) => !stated.has(n) && !others.has(n))).toEqual([]);
});

test("the pauses outlast the lock-out of a usual server, and a run ends in time after its last request", () => {
  expect(sum(waits.lockOut)).toBeGreaterThan(usualLockOut);
  expect(Math.max(...waits.lockOut)).toBeLessThan(throttled);
  expect(waits.lastRequest).toBeLessThan(wholeRun);
  expect(throttled).toBeLessThan(throttledInARow);
});

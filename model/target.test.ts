import { expect, test } from "vitest";
import { isLoopback, quotedText, timeBoundOf } from "./target.ts";
import { settings, target } from "./testing/target.ts";
import { waits } from "./bounds.ts";

test.each(["localhost", "LOCALHOST", "api.localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"])(
  "%s is loopback",
  (host) => expect(isLoopback(host)).toBe(true),
);

test.each([
  "localhost.example.com",
  "notlocalhost",
  "127.0.0.1.example.com",
  "128.0.0.1",
  "0.0.0.0",
  "[::2]",
])("%s is not loopback", (host) => expect(isLoopback(host)).toBe(false));

test.each([
  [{ apiKey: '"key-0123456789"' }, "the API key begins"],
  [{ currencyPairs: ["USDBRL", " EURBRL "] }, "--currency-pairs begins"],
  [
    { customerId: '"c1"', otherPurposes: ['"IMPORT"'] },
    "--customer-id and --other-purposes begins",
  ],
])("values that kept their quotes are named, and not shown: %j", (over, words) => {
  const text = quotedText({ ...target, ...over });
  expect(text).toContain(words);
  expect(text).not.toContain("key-0123456789");
});

test("a quote on one side, and usual values, are nothing odd", () => {
  expect(quotedText({ ...target, customerId: '"c1' })).toBe("");
  expect(quotedText(target)).toBe("");
});

const usual = { ...settings, runs: 25, concurrency: 8, timeout: 10_000, grace: 5000 };

test("a run with the default options has a bound where responses are quick", () => {
  expect(timeBoundOf(usual)).toEqual({
    lastRequest: waits.lastRequest,
    whole: waits.wholeRun,
    isOfQuickServers: true,
  });
  expect(timeBoundOf({ ...usual, runs: 100 })).toBeUndefined();
});

test.each([
  [180_000, 165_000],
  [3_600_000, 3_585_000],
  [10_000, 5000],
])("--max-time of %i ms leaves time for the last requests: none after %i ms", (maxTime, last) => {
  for (const more of [{}, { runs: 100, rate: 1 }])
    expect(timeBoundOf({ ...usual, ...more, maxTime })).toEqual({
      lastRequest: last,
      whole: maxTime,
    });
});

const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);
const { throttled, throttledInARow, usualLockOut, wholeRun } = waits;

test("the pauses outlast the lock-out of a usual server, and a run ends in time after its last request", () => {
  expect(sum(waits.lockOut)).toBeGreaterThan(usualLockOut);
  expect(Math.max(...waits.lockOut)).toBeLessThan(throttled);
  expect(waits.lastRequest).toBeLessThan(wholeRun);
  expect(throttled).toBeLessThan(throttledInARow);
});

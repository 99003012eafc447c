import { expect, test } from "vitest";
import { waits } from "./bounds.ts";
import { settings } from "./testing/target.ts";
import { timeBoundOf } from "./target.ts";

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

import { expect, test } from "vitest";
import { waits } from "./bounds.ts";

const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);
const { throttled, throttledInARow, usualLockOut, wholeRun } = waits;

test("the pauses outlast the lock-out of a usual server, and a run ends in time after its last request", () => {
  expect(sum(waits.lockOut)).toBeGreaterThan(usualLockOut);
  expect(Math.max(...waits.lockOut)).toBeLessThan(throttled);
  expect(waits.lastRequest).toBeLessThan(wholeRun);
  expect(throttled).toBeLessThan(throttledInARow);
});

import { expect, test } from "vitest";
import type { Manner } from "../harness/target.ts";
import { runBound } from "./run-bound.ts";

const manner: Manner = {
  profile: "full",
  selection: [],
  seed: 1,
  runs: 25,
  concurrency: 8,
  timeout: 10_000,
  grace: 5000,
  maxBody: 1,
};

test("a run ends, and later the more it asks and the more slowly it may", () => {
  expect(runBound(manner)).toBe(1300 * 250 + 400_000 + 50_000 + 180_000);
  expect(runBound({ ...manner, rate: 1 })).toBe(1_300_000 + 630_000);
  expect(runBound({ ...manner, rate: 3 })).toBe(Math.round(1_300_000 / 3) + 630_000);
  expect(runBound({ ...manner, profile: "smoke" })).toBe(120 * 250 + 630_000);
  expect(runBound({ ...manner, runs: 1000 })).toBeGreaterThan(runBound(manner));
  expect(runBound({ ...manner, timeout: 20_000, grace: 0 })).toBe(1300 * 250 + 800_000 + 180_000);
});

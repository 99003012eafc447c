import { expect, test } from "vitest";
import type { RunSettings } from "../model/target.ts";
import { runBound } from "./run-bound.ts";

const settings: RunSettings = {
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
  expect(runBound(settings)).toBe(1300 * 250 + 400_000 + 50_000 + 180_000);
  expect(runBound({ ...settings, rate: 1 })).toBe(1_300_000 + 630_000);
  expect(runBound({ ...settings, rate: 3 })).toBe(Math.round(1_300_000 / 3) + 630_000);
  expect(runBound({ ...settings, profile: "smoke" })).toBe(120 * 250 + 630_000);
  expect(runBound({ ...settings, runs: 1000 })).toBeGreaterThan(runBound(settings));
  expect(runBound({ ...settings, timeout: 20_000, grace: 0 })).toBe(1300 * 250 + 800_000 + 180_000);
});

import { expect, test } from "vitest";
import type { RunSettings } from "../model/target.ts";
import { requirementIds } from "../spec/catalogue.ts";
import { expectedOf, runBound } from "./bounds.ts";

const settings: RunSettings = {
  profile: "full",
  selection: requirementIds,
  seed: 1,
  runs: 25,
  concurrency: 8,
  timeout: 10_000,
  grace: 5000,
  maxBody: 1,
};

test.each<[string, Partial<RunSettings>, number, number]>([
  ["a full run", {}, 780, 10],
  ["at a rate", { rate: 10 }, 780, 78],
  ["one at a time", { concurrency: 1 }, 780, 39],
  ["more samples", { runs: 100 }, 1200, 15],
  ["many samples", { runs: 4000 }, 12_700, 159],
  ["the profile smoke", { profile: "smoke" }, 45, 1],
  ["one requirement", { selection: ["OPER-01"] }, 40, 1],
  ["two requirements", { selection: ["OPER-01", "OPER-02"] }, 60, 1],
])("%s needs about as many requests and seconds", (_, more, requests, seconds) => {
  expect(expectedOf({ ...settings, ...more })).toEqual({ requests, seconds });
});

test("a run ends, and later the more it sends and the more slowly it may", () => {
  expect(runBound(settings)).toBe(1560 * 250 + 36.2 * 10_000 + 50_000 + 180_000);
  const smoke = runBound({ ...settings, profile: "smoke" });
  expect(smoke).toBeLessThan(runBound(settings));
  expect(runBound({ ...settings, selection: ["OPER-01"] })).toBeLessThan(runBound(settings));
  expect(runBound({ ...settings, rate: 1 })).toBe(1_560_000 + 362_000 + 230_000);
  expect(runBound({ ...settings, runs: 1000 })).toBeGreaterThan(runBound(settings));
  expect(runBound({ ...settings, runs: 1_000_000 })).toBe(2 ** 31 - 1);
  expect(runBound({ ...settings, timeout: 20_000 })).toBe(runBound(settings) + 362_000);
});

import { expect, test } from "vitest";
import type { RunSettings } from "../../model/target.ts";
import { settings as short } from "../../model/testing/target.ts";
import { requirementIds } from "../../spec/catalogue.ts";
import { expectedOf, runBound } from "./announcement.ts";

const settings: RunSettings = { ...short, timeout: 10_000, grace: 5000 };
function requestsOf(more: Partial<RunSettings> = {}): number {
  return expectedOf({ ...settings, ...more }).requests;
}
const whole = requestsOf();

test("a run sends more with more samples, and fewer requests for fewer requirements", () => {
  expect(requestsOf({ runs: 125 })).toBe(whole + 160);
  const smoke = requestsOf({ profile: "smoke" });
  expect(smoke).toBeLessThan(whole / 10);
  const only = (...selection: RunSettings["selection"]): number =>
    requestsOf({ selection, fewest: true });
  expect(only("AUTH-05", "AUTH-06")).toBe(2 * only("AUTH-05"));
  expect(only(...requirementIds)).toBe(whole);
});

test("a run ends, and later the more it sends and the more slowly it may", () => {
  expect(runBound(settings)).toBe(
    Math.round(2 * whole * 250 + (5 + whole / 25) * 10_000 + 50_000 + 180_000),
  );
  const longer = [{ rate: 1 }, { runs: 1000 }, { timeout: 20_000 }];
  for (const more of longer)
    expect(runBound({ ...settings, ...more })).toBeGreaterThan(runBound(settings));
  const shorter = [
    { profile: "smoke" as const },
    { selection: ["OPER-01" as const], fewest: true },
  ];
  for (const more of shorter)
    expect(runBound({ ...settings, ...more })).toBeLessThan(runBound(settings));
  expect(runBound({ ...settings, runs: 1_000_000, rate: 1 })).toBe(2 ** 31 - 1);
});

test("--max-time is the bound, whatever a run has to do", () => {
  expect(runBound({ ...settings, maxTime: 60_000, runs: 1000, rate: 1 })).toBe(60_000);
});

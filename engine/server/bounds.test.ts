import { expect, test } from "vitest";
import { measured } from "../../suites/measured.ts";
import type { RunSettings } from "../../model/target.ts";
import { requirementIds } from "../../spec/catalogue.ts";
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
function requestsOf(more: Partial<RunSettings> = {}): number {
  return expectedOf({ ...settings, ...more }).requests;
}
const whole = measured.full[1][1];

test("a run sends what was measured; between and beyond the measured numbers of samples, what lies on a line", () => {
  expect(measured.full.map(([runs]) => requestsOf({ runs }))).toEqual(
    measured.full.map(([, requests]) => requests),
  );
  const [, , [, at100], [, at300], [, at1000]] = measured.full;
  expect(requestsOf({ runs: 200 })).toBe(Math.round((at100 + at300) / 2));
  expect(requestsOf({ runs: 1700 })).toBe(2 * at1000 - at300);
  expect(requestsOf({ profile: "smoke" })).toBe(measured.smoke.requests);
});

test("a selection sends what its scenarios do, each once, and what the session does", () => {
  const { "auth/keys": keys } = measured.scenarios;
  const only = (...selection: RunSettings["selection"]): number =>
    requestsOf({ selection, fewest: true });
  expect(only("AUTH-05")).toBe(measured.session + keys);
  expect(only("AUTH-05", "AUTH-06")).toBe(measured.session + keys);
  expect(only(...requirementIds)).toBeLessThanOrEqual(whole);
});

test("with fewer bad credentials, a run sends fewer requests and ends sooner", () => {
  const at = (maxBadCredentials: number): number =>
    requestsOf({ profile: "smoke", maxBadCredentials });
  const { requests, scenarios } = measured.smoke;
  expect([at(0), at(5), at(1000)]).toEqual([
    measured.session + scenarios["auth/token/issued"] + scenarios["batches/list/before"],
    at(0) + 5,
    requests,
  ]);
  const smoke = { ...settings, profile: "smoke" } as const;
  expect(runBound({ ...smoke, maxBadCredentials: 0 })).toBeLessThan(runBound(smoke));
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
  expect(runBound({ ...settings, runs: 1_000_000 })).toBe(2 ** 31 - 1);
});

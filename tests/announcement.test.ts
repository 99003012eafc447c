import { expect, test, vi } from "vitest";
import { expectedOf } from "../engine/server/announcement.ts";
import type { RunSettings } from "../model/target.ts";
import { settings } from "../model/testing/target.ts";
import { requirementIds } from "../spec/catalogue.ts";
import { referenceRuns } from "./reference-run.ts";

vi.setConfig({ testTimeout: 120_000 });

const { fxconform, against } = referenceRuns("announcement-key-123");

/** Runs against a server that obeys, and resolves to what was sent and what was announced. */
async function sentBy(words: readonly string[], more: Partial<RunSettings>) {
  const whole = { ...settings, profile: "full", selection: requirementIds, runs: 25 } as const;
  const { run } = await against({}, (target) => fxconform(["run", ...target, ...words]));
  return { sent: run.requests, about: expectedOf({ ...whole, ...more }).requests };
}

test.each<[string, readonly string[], Partial<RunSettings>]>([
  ["a default run", [], {}],
  ["a run with many samples", ["--runs", "300"], { runs: 300 }],
  ["a smoke run", ["--profile", "smoke"], { profile: "smoke" }],
  [
    "a smoke run without bad credentials",
    ["--profile", "smoke", "--max-bad-credentials", "0"],
    { profile: "smoke", maxBadCredentials: 0 },
  ],
])(
  "%s sends what it announces; if not, correct the numbers in engine/server/announcement.ts",
  async (_, words, more) => {
    const { sent, about } = await sentBy(words, more);
    // In a run of a few requests, one more or less is more than the twentieth part.
    const most = Math.max(about / 20, 5);
    expect(Math.abs(sent - about), `sent ${sent}, announced ${about}`).toBeLessThanOrEqual(most);
  },
);

test("a selection sends at most what it announces", async () => {
  const selection = ["OPER-09", "BATCH-21"] as const;
  const { sent, about } = await sentBy(["--only", selection.join(",")], {
    selection,
    fewest: true,
  });
  expect(sent).toBeLessThanOrEqual(about);
  expect(sent).toBeGreaterThan(about / 4);
});

test("another seed draws other letters and digits, and nothing else", async () => {
  const [one, other] = await against({}, async (target) => [
    await fxconform(["run", ...target]),
    await fxconform(["run", ...target, "--seed", "333"]),
  ]);
  expect(other.run.createdCounts).toEqual(one.run.createdCounts);
  expect(other.run.coverage).toEqual(one.run.coverage);
});

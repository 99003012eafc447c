import { expect, test } from "vitest";
import { expectedOf } from "../engine/server/bounds.ts";
import type { RunSettings } from "../model/target.ts";
import { measured } from "../suites/measured.ts";
import { settings } from "../model/testing/target.ts";
import { requirementIds } from "../spec/catalogue.ts";
import { scenarios } from "../suites/index.ts";
import { selectScenarios } from "../suites/run/selection.ts";
import { referenceRuns } from "./reference-run.ts";

const { fxconform, against } = referenceRuns("measured-key-123");
function announced(more: Partial<RunSettings> = {}): number {
  return expectedOf({ ...settings, profile: "full", selection: requirementIds, runs: 25, ...more })
    .requests;
}

test.each<[string, readonly string[], Partial<RunSettings>]>([
  ["a smoke run", ["--profile", "smoke"], { profile: "smoke" }],
  [
    "a selection",
    ["--only", "OPER-09,BATCH-21"],
    { selection: ["OPER-09", "BATCH-21"], fewest: true },
  ],
])(
  "%s sends what it announces; if not: npm run measure",
  async (_, words, more) => {
    const { run } = await against({}, (target) =>
      fxconform(["run", ...target, "--seed", "1", ...words]),
    );
    const about = announced(more);
    expect(
      Math.abs(run.requests - about),
      `sent ${run.requests}, announced ${about}`,
    ).toBeLessThanOrEqual(about / 10);
  },
  60_000,
);

test("every scenario of a full run is measured, and is known by the requirements that it checks", () => {
  const plain = "transport/plain-http";
  expect(Object.keys(measured.scenarios).sort()).toEqual(
    scenarios
      .map(({ id }) => id)
      .filter((id) => id !== plain)
      .sort(),
  );
  for (const id of requirementIds) {
    const { scenarios: needed } = selectScenarios(scenarios, {
      profile: "full",
      selection: [id],
      fewest: true,
    });
    expect(measured.only[id], id).toEqual(needed.map((one) => one.id));
  }
});

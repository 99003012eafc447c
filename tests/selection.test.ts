import { expect, test } from "vitest";
import { inSmoke } from "../engine/smoke.ts";
import { selectScenarios } from "../harness/scenario.ts";
import { requirementIds } from "../spec/catalogue.ts";
import { scenarios } from "../suites/index.ts";

test("every requirement has a scenario that asks about it, in smoke too where that can judge it", () => {
  const without = (profile: "smoke" | "full") =>
    requirementIds.filter((id) => selectScenarios(scenarios, new Set([id]), profile).length === 0);
  expect(without("full")).toEqual([]);
  expect(without("smoke").filter(inSmoke)).toEqual([]);
});

import { describe, expect, test } from "vitest";
import { budgetResults, gateOf, uncheckedBudgets, type GatedRun, type GateRules } from "./gate.ts";
import { rowsOf } from "./testing/rows.ts";

const list = {
  operation: "listBatches",
  count: 12,
  sum: 600,
  p50: 20,
  p95: 301,
  p99: 400,
  max: 400,
  histogram: [],
} as const;
const token = { ...list, operation: "createToken", count: 4 } as const;
const latency = [list, token];
const budget = { operation: "listBatches", statistic: "p95", milliseconds: 300 } as const;

test.each([
  ["within", { ...budget, milliseconds: 301 }, []],
  ["another statistic", { ...budget, statistic: "p50" }, []],
  ["exceeded", budget, [[true, "listBatches: p95 is 301 ms over 12 responses; --max-latency allows 300 ms"]]],
  [
    "too few responses",
    { ...budget, operation: "createToken", milliseconds: 1 },
    [[false, "createToken: 4 responses, and --max-latency needs at least 5"]],
  ],
  [
    "no response",
    { ...budget, operation: "createBatch" },
    [[false, "createBatch: 0 responses, and --max-latency needs at least 5"]],
  ],
] as const)("a latency budget: %s", (_, one, wanted) => {
  const results = budgetResults(latency, [one]);
  expect(results.map(({ exceeded, reason }) => [exceeded, reason.text])).toEqual(wanted);
  expect(results.every(({ reason }) => reason.kind === "latency")).toBe(true);
});

describe("the gate", () => {
  const unchecked = { ...budget, operation: "createToken" } as const;
  const rules: GateRules = {
    ...{ strict: false, statement: [], baseline: [], today: "2026-05-01" },
    budgets: [budget, unchecked],
  };
  const run: GatedRun = {
    ...{ requirements: rowsOf("MUST", "pass"), observations: [], profile: "full", complete: true },
    ...{ outcome: "conformant", summary: "the summary", latency },
  };
  const kinds = (one: GatedRun, more: Partial<GateRules> = {}) =>
    gateOf(one, { ...rules, ...more }).reasons.map(({ kind }) => kind);

  test("fails if a budget is exceeded; for one that could not be checked, only if strict", () => {
    expect(kinds(run)).toEqual(["latency"]);
    expect(uncheckedBudgets("conformant", latency, rules)).toEqual([expect.stringContaining("createToken: 4")]);
    expect(kinds(run, { strict: true })).toEqual(["latency", "latency"]);
    expect(uncheckedBudgets("conformant", latency, { ...rules, strict: true })).toEqual([]);
  });

  test.each(["inconclusive", "interrupted", "error"] as const)("ignores budgets if the outcome is %s", (outcome) => {
    expect(kinds({ ...run, outcome })).not.toContain("latency");
    expect(uncheckedBudgets(outcome, latency, rules)).toEqual([]);
  });
});

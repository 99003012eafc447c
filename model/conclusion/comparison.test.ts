import { expect, test } from "vitest";
import { changeOf, changesBetween, countsText, sinceLast } from "./comparison.ts";
import { hasVerdict } from "./outcome.ts";
import type { Run, Verdict } from "../run.ts";
import { findingOf, rowOf } from "../testing/rows.ts";

const one = [findingOf({ actual: "one" })];
const other = [findingOf({ actual: "other" })];
function row(verdict: Verdict, findings = verdict === "fail" ? one : []) {
  return rowOf("OPER-02", verdict, { findings });
}

test.each([
  [row("fail"), row("pass"), "fixed"],
  [row("fail"), row("fail", [...other, ...one]), "still failing"],
  [row("fail"), row("fail", other), "another cause"],
  [row("fail"), row("inconclusive"), "no verdict"],
  [undefined, row("fail"), "new failure"],
  [row("pass"), row("inconclusive"), undefined],
])("$0.verdict, then $1.verdict: $2", (before, after, change) => {
  expect(changeOf(before, after)).toBe(change);
});

const run = {
  startedAt: "2026-11-24T14:02:00.000Z",
  target: { baseUrl: "https://fx.example" },
  profile: "full",
  requirements: [row("fail"), rowOf("OPER-03", "pass"), rowOf("BATCH-20", "pass")],
} as unknown as Run;
const later: Run = {
  ...run,
  requirements: [
    row("pass"),
    rowOf("OPER-03", "fail", { findings: one }),
    rowOf("BATCH-20", "warn", { findings: one }),
  ],
};

test("what failed in one of two runs changed; a warning is no failure", () => {
  expect(changesBetween(run, later)).toEqual([
    { requirement: "OPER-02", change: "fixed" },
    { requirement: "OPER-03", change: "new failure" },
  ]);
  expect(sinceLast(run, later)).toEqual({
    startedAt: run.startedAt,
    changes: changesBetween(run, later),
  });
});

test("runs are compared only if both judged the same of the same target", () => {
  const unjudged: Run = { ...later, requirements: [row("inconclusive")] };
  expect([hasVerdict(run), hasVerdict(unjudged)]).toEqual([true, false]);
  for (const one of [
    unjudged,
    { ...later, profile: "smoke" as const },
    { ...later, target: { baseUrl: "https://other.example" } },
    { ...later, selection: { only: ["OPER-02"] } },
  ])
    expect(sinceLast(run, one)).toBeUndefined();
});

test("counts say the most urgent first", () => {
  expect(countsText(["fixed", "new failure", "fixed", "new failure", "no verdict"])).toBe(
    "2 new failures, 1 no verdict, 2 fixed",
  );
  expect(countsText([])).toBe("");
});

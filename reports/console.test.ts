import { expect, test } from "vitest";
import { consoleText } from "./console.ts";
import type { Run } from "../model/run.ts";
import { runs } from "./testing/runs.ts";
import { faultyRun, largeRun } from "./testing/whole.ts";

const linesOf = (run: Run, width?: number): readonly string[] =>
  consoleText(run, width === undefined ? { color: false } : { color: false, width })
    .trimEnd()
    .split("\n");

test("a failure reads as id, level and statement, then its evidence", () => {
  expect(linesOf(runs.nonconformant).slice(0, 5)).toEqual([
    "OPER-02 MUST  A new operation has the status pending_quote.",
    "  finding   the status of a new operation differs (14 times)",
    '  expected  /status = "pending_quote"',
    '  actual    /status = "created"',
    "  replay    fxconform run --only OPER-02 --seed 1147 --base-url https://fx.example:4010 --profile full",
  ]);
});

test.each(Object.entries(runs))("the last line of a run that is %s is the headline", (outcome, run) => {
  expect(linesOf(run).at(-1)).toMatch(new RegExp(`^. ${outcome} · \\d+ failed, .+ requests?, .+ · seed 1147$`));
});

test("colours change nothing but the colour", () => {
  const run = faultyRun();
  // oxlint-disable-next-line no-control-regex
  const colours = /\u001b\[\d+m/g;
  expect(consoleText(run, { color: true }).replace(colours, "")).toBe(consoleText(run, { color: false }));
});

test("rows that may be shortened end at the width", () => {
  const rows = linesOf(runs.inconclusive, 60);
  expect(rows.find((line) => line.includes("did not answer"))).toHaveLength(60);
  expect(rows.filter((line) => line.startsWith("    ")).every((line) => line.length <= 60)).toBe(true);
});

test("thousands of findings stay readable", () => {
  const lines = linesOf(largeRun(5000));
  expect(lines.length).toBeLessThan(400);
  expect(lines.join("\n")).toMatch(/and \d+ more requirements failed: AUTH-/);
});

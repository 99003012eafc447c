import { expect, test } from "vitest";
import { consoleText } from "./console.ts";
import type { Run } from "../model/run.ts";
import { renderers } from "./index.ts";
import { runs, toleratedRun } from "./testing/runs.ts";
import { faultyRun, largeRun } from "./testing/whole.ts";

const linesOf = (run: Run, width?: number): readonly string[] =>
  consoleText(run, width === undefined ? { color: false } : { color: false, width })
    .trimEnd()
    .split("\n");

test("a failure takes six lines", () => {
  const lines = linesOf(runs.nonconformant);
  const start = lines.indexOf("✗ OPER-02 MUST  A new operation has the status pending_quote.");
  expect(lines.slice(start + 1, start + 7)).toEqual([
    "  finding   the status of a new operation differs (14 times)",
    '  expected  /status = "pending_quote"',
    '  actual    /status = "created"',
    "  replay    npx fxconform replay fxconform-report/report.json --only OPER-02",
    "  more      1 more finding: npx fxconform explain OPER-02",
    "",
  ]);
  expect(lines.join("\n")).not.toContain("curl");
});

test.each([
  [runs.conformant, "✓ The gate passes."],
  [runs.partial, "✓ The gate passes."],
  [toleratedRun, "✓ The gate passes; 2 known failures tolerated."],
  [runs.nonconformant, "✗ The gate fails: 2 reasons."],
  [runs.inconclusive, "? The gate fails: there is no verdict on the server."],
  [runs.interrupted, "– The gate fails: the run was interrupted."],
  [runs.error, "! The gate fails: fxconform itself failed."],
])("the gate of a $outcome run is its last line: %s", (run, line) => {
  expect(linesOf(run).at(-1)).toBe(line);
});

test.each([
  [{ counterparty: 84, batch: 7 }, 91, "91 resources created, without a usable id"],
  [{ counterparty: 84, batch: 7 }, 84, "91 resources created, 84 of them without a usable id"],
  [{ batch: 1 }, 0, "1 resource created"],
])("the console and the page count what was created: %o, %i without an id", (createdCounts, createdWithoutId, text) => {
  const run = { ...runs.nonconformant, created: [], createdCounts, createdWithoutId };
  expect(linesOf(run).some((line) => line.endsWith(`observed, ${text}`))).toBe(true);
  expect(renderers.html.render(run)).toMatch(/What the run created <span class="of">(91|1)<\/span>/);
});

test("without colours the text is the same", () => {
  const run = faultyRun();
  // oxlint-disable-next-line no-control-regex
  const colours = /\u001b\[\d+m/g;
  expect(consoleText(run, { color: true }).replace(colours, "")).toBe(consoleText(run, { color: false }));
});

test("thousands of findings are bounded", () => {
  const lines = linesOf(largeRun(5000));
  expect(lines.length).toBeLessThan(400);
  expect(lines.join("\n")).toMatch(/and \d+ more failed requirements: /);
});

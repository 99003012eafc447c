import { expect, test } from "vitest";
import { consoleText, quietText } from "./console.ts";
import type { Run } from "../model/run.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import { renderers } from "./index.ts";
import { fullRun, largeRun, runs, toleratedRun } from "./testing/runs.ts";

function linesOf(run: Run, width?: number): readonly string[] {
  return consoleText(run, width === undefined ? { color: false } : { color: false, width })
    .trimEnd()
    .split("\n");
}

test.each([
  [toleratedRun, "✓ The gate passes; 2 known failures tolerated."],
  [runs.nonconformant, "✗ The gate fails: OPER-02 and ACAM-03."],
  [runs.inconclusive, "? The gate fails: there is no verdict on the server."],
])("the gate of a $outcome run is its last line: %s", (run, line) => {
  expect(linesOf(run).at(-1)).toBe(line);
});

test("the page counts what was created, and what has no usable id", () => {
  const createdCounts = { counterparty: 84, batch: 7 };
  const run = { ...runs.nonconformant, created: [], createdCounts, createdWithoutId: 84 };
  const page = renderers.html.render(run);
  expect(page).toContain('Created <span class="of">91</span>');
  expect(page).toContain("84 of them came without an id that a request could name.");
});

function failing(...ids: readonly RequirementId[]): Run {
  const reasons = ids.map(
    (requirement) => ({ kind: "must-failed", requirement, text: "" }) as const,
  );
  return { ...runs.nonconformant, gate: { pass: false, tolerated: [], reasons } };
}

test("a gate that fails for many names the first two", () => {
  const run = failing("OPER-06", "CPTY-02", "CPTY-03", "CPTY-04", "CPTY-05");
  expect(linesOf(run).at(-1)).toBe("✗ The gate fails: OPER-06, CPTY-02 and 3 more.");
});

test.each<[Run, string, string]>([
  [failing("OPER-02", "ACAM-03"), "✗", "The gate fails: OPER-02 and ACAM-03."],
  [toleratedRun, "✓", "The gate passes; 2 known failures tolerated."],
  [runs.conformant, "✓", "The gate passes."],
  [runs.inconclusive, "?", "The gate fails: there is no verdict on the server."],
])("--quiet prints one line: $outcome, %s %s", (run, sign, gate) => {
  expect(quietText(run)).toBe(`${sign} ${run.target.baseUrl}: ${run.summary} ${gate}`);
});

test("what narrows the gate is named on the console, the page and in Markdown", () => {
  const run = {
    ...runs.conformant,
    narrowed: ["`only: [AUTH-01]` in fxconform.config.yaml: 119 of 120 left out"],
  };
  expect(linesOf(run)).toContain(`narrowed  ${run.narrowed[0]}`);
  for (const { render } of [renderers.markdown, renderers.html])
    expect(
      render(run).replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
    ).toMatch(
      /only: \[(<a [^>]*>)?AUTH-01(<\/a>)?\]. in fxconform\.config\.yaml: 119 of 120 left out/,
    );
});

test("without colours the text is the same", () => {
  const run = fullRun;
  // oxlint-disable-next-line no-control-regex
  const colours = /\u001b\[\d+m/g;
  expect(consoleText(run, { color: true }).replace(colours, "")).toBe(
    consoleText(run, { color: false }),
  );
});

test("--verbose says what was covered, and how to get a token", () => {
  const text = (verbose: boolean): string =>
    consoleText(runs.nonconformant, { color: false, verbose });
  expect(text(true)).toMatch(/TOKEN=[^]*Covered: 61 of 66 pairs of 4 attributes/);
  expect(text(false)).not.toMatch(/Covered|TOKEN=/);
});

test("thousands of findings are bounded", () => {
  const lines = linesOf(largeRun(5000));
  expect(lines.length).toBeLessThan(400);
  expect(lines.join("\n")).toMatch(/^\d+ more mistakes$/m);
});

test("lines are wrapped on a terminal, and never cut elsewhere", () => {
  const long = `${"a word ".repeat(30)}the end`;
  const { requirements } = runs.nonconformant;
  const run = {
    ...runs.nonconformant,
    requirements: requirements.map((row) => ({
      ...row,
      findings: row.findings.map((finding) => ({ ...finding, expected: long })),
    })),
  };
  const free = linesOf(run);
  expect(free.some((line) => line.includes(long))).toBe(true);
  const narrow = linesOf(run, 60);
  const first = narrow.findIndex((line) => line.startsWith("  expected"));
  const end = narrow.findIndex((line, index) => index > first && line.endsWith("the end"));
  expect(end).toBeGreaterThan(first + 3);
  for (const line of narrow.slice(first, end + 1)) expect(line.length).toBeLessThanOrEqual(60);
  expect(
    narrow
      .slice(first, end + 1)
      .map((line) => line.slice(12))
      .join(" "),
  ).toContain(long);
});

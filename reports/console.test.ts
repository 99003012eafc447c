import { expect, test } from "vitest";
import { consoleText, quietText } from "./console.ts";
import type { Run } from "../model/run.ts";
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

test("where there is a page, a failure names its place there", () => {
  const text = consoleText(runs.nonconformant, { color: false, page: "out/report.html" });
  expect(text).toContain("  more      1 more finding: out/report.html#OPER-02\n");
});

test("with --verbose, the token that the curl commands use comes before the first of them", () => {
  const lines = consoleText(runs.nonconformant, { color: false, verbose: true }).split("\n");
  const [token, request] = ["  token ", "  request "].map((start) => lines.findIndex((line) => line.startsWith(start)));
  expect(token).toBeGreaterThanOrEqual(0);
  expect(token).toBeLessThan(request ?? 0);
});

test("a cause that breaks several requirements is one failure with one example", () => {
  const lines = linesOf(faultyRun());
  const cause = "POST /corporate/operation answers invalid requests with status 500; expected: status 400";
  expect(lines.filter((line) => line.includes(cause.slice(0, 60)))).toEqual([
    expect.stringMatching(/^✗ OPER-20 OPER-24 /),
  ]);
  expect(lines.filter((line) => line.startsWith("✗ OPER-24"))).toEqual([]);
});

test.each<[keyof typeof runs, string]>([
  ["conformant", "✓ https://fx.example:4010 conformant: "],
  ["nonconformant", "✗ https://fx.example:4010 nonconformant: "],
  ["inconclusive", "? https://fx.example:4010 no verdict: "],
])("--quiet says in one line that a run is %s", (name, start) => {
  const line = quietText(runs[name]);
  expect(line.startsWith(start), line).toBe(true);
  expect(line).not.toContain("\n");
});

test.each(Object.entries(runs))(
  "the last lines of a run that is %s are its summary, counts and the gate",
  (outcome, run) => {
    const [summary, counts] = linesOf(run).slice(-3);
    expect(summary).toBe(run.summary);
    expect(counts).toMatch(
      new RegExp(`^. ${outcome} · .*\\d+ failed, .+ requests?( \\(\\d+ with bad credentials\\))?, .+ · seed 1147$`),
    );
  },
);

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

test("a tolerated failure shows its reason and last day", () => {
  expect(linesOf(toleratedRun)).toContain(
    "tolerated OPER-02, known until 2026-03-10: quotes come at night, ticket FX-12",
  );
});

test("a run that reached nothing shows the reason once, and counts", () => {
  const text = consoleText(runs.inconclusive, { color: false });
  expect(text.match(/ECONNREFUSED/g)).toHaveLength(1);
  expect(text).toMatch(/^ {2}\? 10 requirements$/m);
});

test("without colours the text is the same", () => {
  const run = faultyRun();
  // oxlint-disable-next-line no-control-regex
  const colours = /\u001b\[\d+m/g;
  expect(consoleText(run, { color: true }).replace(colours, "")).toBe(consoleText(run, { color: false }));
});

test("warnings are shortened to the width", () => {
  const rows = linesOf(runs.nonconformant, 60);
  expect(rows.find((line) => line.startsWith("  ! AUTH-11"))).toHaveLength(60);
});

test("a reason for no verdict is not cut: what to do is at its end", () => {
  const requirements = runs.nonconformant.requirements.map((row) =>
    row.verdict === "inconclusive" ? { ...row, reason: `${"cause ".repeat(30)}and remedy` } : row,
  );
  expect(consoleText({ ...runs.nonconformant, requirements }, { color: false, width: 60 })).toContain("and remedy\n");
});

test("thousands of findings are bounded", () => {
  const lines = linesOf(largeRun(5000));
  expect(lines.length).toBeLessThan(400);
  expect(lines.join("\n")).toMatch(/and \d+ more failed requirements: /);
});

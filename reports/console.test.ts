import { expect, test } from "vitest";
import { consoleText } from "./console.ts";
import type { Run } from "../model/run.ts";
import { runs, toleratedRun } from "./testing/runs.ts";
import { faultyRun, largeRun } from "./testing/whole.ts";

const linesOf = (run: Run, width?: number): readonly string[] =>
  consoleText(run, width === undefined ? { color: false } : { color: false, width })
    .trimEnd()
    .split("\n");

test("a failure shows id, level and statement, then the evidence", () => {
  const lines = linesOf(runs.nonconformant);
  const start = lines.indexOf("OPER-02 MUST  A new operation has the status pending_quote.");
  expect(lines.slice(start + 1, start + 5)).toEqual([
    "  finding   the status of a new operation differs (14 times)",
    '  expected  /status = "pending_quote"',
    '  actual    /status = "created"',
    "  replay    npx fxconform replay fxconform-report/report.json --only OPER-02",
  ]);
});

test("the token that the curl commands use comes before the first of them", () => {
  const [token, request] = ["  token ", "  request "].map((start) =>
    linesOf(runs.nonconformant).findIndex((line) => line.startsWith(start)),
  );
  expect(token).toBeGreaterThanOrEqual(0);
  expect(token).toBeLessThan(request ?? 0);
  expect(linesOf(runs.conformant).filter((line) => line.startsWith("  token "))).toEqual([]);
});

test("a cause that breaks several requirements is one failure with one example", () => {
  const lines = linesOf(faultyRun());
  const start = lines.indexOf(
    "✗ POST /corporate/operation answers invalid requests with status 500; expected: status 400",
  );
  expect(lines.slice(start + 1, start + 3)).toEqual([
    expect.stringMatching(/^  breaks    OPER-20 MUST  /),
    expect.stringMatching(/^            OPER-24 MUST  /),
  ]);
  expect(lines.filter((line) => line.startsWith("OPER-24"))).toEqual([]);
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

test("a failure names the command that explains it", () => {
  expect(linesOf(runs.nonconformant)).toContain("  explain   npx fxconform explain OPER-02");
  expect(consoleText(runs.nonconformant, { color: false, program: "fxconform" })).toMatch(
    /^ {2}explain +fxconform explain ACAM-03$/m,
  );
});

test("a tolerated failure shows its reason and last day", () => {
  expect(linesOf(toleratedRun)).toContain(
    "tolerated OPER-02, known until 2026-03-10: quotes come at night, ticket FX-12",
  );
});

test("a run that reached nothing shows the reason once, and counts", () => {
  const text = consoleText(runs.inconclusive, { color: false });
  expect(text.match(/ECONNREFUSED/g)).toHaveLength(1);
  expect(text).toContain("? 10 requirements\n");
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

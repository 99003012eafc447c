import { actualText, expectedText } from "../evidence.ts";
import { reasonLines, toleratedLines, toleratedText } from "../gate.ts";
import { plain } from "../sanitize.ts";
import type { Renderer } from "../renderer.ts";
import type { Finding, RequirementResult, Run, ToleratedFailure, Verdict } from "../../model/run.ts";
import { tally } from "../verdict-symbols.ts";

/** Common Test Report Format (ctrf.io), for dashboards: a test for each requirement, and one for the gate. */
export const ctrf: Renderer = {
  file: "ctrf-report.json",
  render: (run) => `${JSON.stringify(reportOf(run), null, 2)}\n`,
};

const statuses = {
  pass: "passed",
  fail: "failed",
  warn: "passed",
  inconclusive: "other",
  skip: "skipped",
} as const satisfies Record<Verdict, string>;

function reportOf(run: Run): object {
  const counts = tally(run.requirements);
  const known = new Map(run.gate.tolerated.map((each) => [each.requirement, each]));
  const tolerated = run.requirements.filter(({ id, verdict }) => verdict === "fail" && known.has(id)).length;
  const reasons = reasonLines(run)
    .map((text) => plain(text, 500))
    .slice(0, 100);
  const start = Date.parse(run.startedAt);
  return {
    reportFormat: "CTRF",
    specVersion: "0.0.0",
    timestamp: run.startedAt,
    generatedBy: run.tool.name,
    results: {
      tool: { name: run.tool.name, version: run.tool.version },
      summary: {
        tests: run.requirements.length + 1,
        passed: counts.pass + counts.warn + (run.gate.pass ? 1 : 0),
        failed: counts.fail - tolerated + (run.gate.pass ? 0 : 1),
        pending: 0,
        skipped: counts.skip + tolerated,
        other: counts.inconclusive,
        suites: new Set(run.requirements.map((row) => row.area)).size + 1,
        start,
        stop: start + Math.round(run.durationMs),
      },
      tests: [...run.requirements.map((row) => testOf(row, known.get(row.id))), gateTest(run, reasons)],
      environment: { testEnvironment: plain(run.target.baseUrl, 500), extra: { profile: run.profile } },
      extra: {
        outcome: run.outcome,
        summary: plain(run.summary),
        gate: { pass: run.gate.pass, reasons, tolerated: toleratedLines(run).map((text) => plain(text, 500)) },
        seed: run.seed,
        runId: run.runId,
      },
    },
  };
}

function testOf(row: RequirementResult, known: ToleratedFailure | undefined): object {
  const [first] = row.findings;
  const tolerated = row.verdict === "fail" ? known : undefined;
  const message = tolerated ? toleratedText(tolerated) : (first?.message ?? row.reason);
  return {
    name: `${row.id} ${row.statement}`,
    status: tolerated ? "skipped" : statuses[row.verdict],
    duration: Math.round(row.tookMs ?? 0),
    suite: [`fxconform.${row.area}`],
    rawStatus: row.verdict,
    tags: [row.level, row.area],
    type: "conformance",
    ...(message === undefined ? {} : { message: plain(message, 500) }),
    ...(first ? { trace: traceOf(first) } : {}),
    extra: { id: row.id, level: row.level, source: row.source, asked: row.asked },
  };
}

const gateTest = (run: Run, reasons: readonly string[]): object => ({
  name: "fxconform.gate",
  status: run.gate.pass ? "passed" : "failed",
  duration: 0,
  suite: ["fxconform.gate"],
  type: "gate",
  ...(run.gate.pass ? {} : { message: reasons.join("\n") }),
});

const traceOf = (finding: Finding): string =>
  [
    `expected: ${plain(expectedText(finding), 1000)}`,
    `actual:   ${plain(actualText(finding), 1000)}`,
    `replay:   ${plain(finding.replay, 2000)}`,
    `curl:     ${plain(finding.curl, 2000)}`,
  ].join("\n");

import { actualText, expectedText } from "./evidence.ts";
import { plain } from "./sanitize.ts";
import type { Renderer } from "./renderer.ts";
import type { Finding, RequirementResult, Run, Verdict } from "../model/run.ts";
import { tally } from "./tally.ts";

/** TargetKnowledge Test Report Format (ctrf.io), for dashboards: a test a requirement. */
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
  const start = Date.parse(run.startedAt);
  return {
    reportFormat: "CTRF",
    specVersion: "0.0.0",
    timestamp: run.startedAt,
    generatedBy: run.tool.name,
    results: {
      tool: { name: run.tool.name, version: run.tool.version },
      summary: {
        tests: run.requirements.length,
        passed: counts.pass + counts.warn,
        failed: counts.fail,
        pending: 0,
        skipped: counts.skip,
        other: counts.inconclusive,
        suites: new Set(run.requirements.map((row) => row.area)).size,
        start,
        stop: start + Math.round(run.durationMs),
      },
      tests: run.requirements.map(testOf),
      environment: { testEnvironment: plain(run.target.baseUrl, 500), extra: { profile: run.profile } },
      extra: { outcome: run.outcome, summary: plain(run.summary), seed: run.seed, runId: run.runId },
    },
  };
}

function testOf(row: RequirementResult): object {
  const [first] = row.findings;
  const told = first ? first.message : row.reason;
  return {
    name: `${row.id} ${row.statement}`,
    status: statuses[row.verdict],
    duration: Math.round(row.tookMs ?? 0),
    suite: [`fxconform.${row.area}`],
    rawStatus: row.verdict,
    tags: [row.level, row.area],
    type: "conformance",
    ...(told === undefined ? {} : { message: plain(told, 500) }),
    ...(first ? { trace: traceOf(first) } : {}),
    extra: { id: row.id, level: row.level, source: row.source, asked: row.asked },
  };
}

const traceOf = (finding: Finding): string =>
  [
    `expected: ${plain(expectedText(finding), 1000)}`,
    `actual:   ${plain(actualText(finding), 1000)}`,
    `replay:   ${plain(finding.replay, 2000)}`,
    `curl:     ${plain(finding.curl, 2000)}`,
  ].join("\n");

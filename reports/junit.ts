import { actualText, expectedText, frequencyText } from "./evidence.ts";
import { groups } from "./groups.ts";
import { headline } from "./headline.ts";
import { plain } from "./sanitize.ts";
import type { Renderer } from "./renderer.ts";
import type { Finding, RequirementResult, Run } from "../model/run.ts";
import { tally } from "./tally.ts";
import { xmlAttribute, xmlText } from "./xml.ts";

/** One suite an area, one case a requirement. Valid against the schemas of Ant (Windy Road) and of Jenkins' xUnit. */
export const junit: Renderer = {
  file: "junit.xml",
  render(run) {
    const suites = [...groups(run.requirements, (row) => row.area)];
    return [
      `<?xml version="1.0" encoding="UTF-8"?>`,
      `<testsuites>`,
      ...suites.flatMap(([area, rows], index) => suite(run, area, rows, index)),
      `</testsuites>`,
      ``,
    ].join("\n");
  },
};

function suite(run: Run, area: string, rows: readonly RequirementResult[], index: number): readonly string[] {
  const counts = tally(rows);
  const attributes = [
    `name="fxconform.${area}"`,
    `package="fxconform"`,
    `id="${index}"`,
    `timestamp="${run.startedAt.slice(0, 19)}"`,
    // Not the name of this machine: histories compare suites across machines.
    `hostname="localhost"`,
    `tests="${rows.length}"`,
    `failures="${counts.fail}"`,
    `errors="0"`,
    `skipped="${counts.inconclusive + counts.skip}"`,
    `time="${seconds(rows.reduce((sum, row) => sum + (row.tookMs ?? 0), 0))}"`,
  ];
  return [
    `  <testsuite ${attributes.join(" ")}>`,
    ...properties(run),
    ...rows.flatMap(testcase),
    `    <system-out>${xmlText([`${run.outcome}: ${plain(run.summary)}`, headline(run), ...warned(rows)].join("\n"), 20_000)}</system-out>`,
    `    <system-err>${xmlText(run.warnings.join("\n"), 4000)}</system-err>`,
    `  </testsuite>`,
  ];
}

const properties = (run: Run): readonly string[] => [
  `    <properties>`,
  ...Object.entries({
    outcome: run.outcome,
    "base-url": run.target.baseUrl,
    profile: run.profile,
    seed: String(run.seed),
    "run-id": run.runId,
    version: run.tool.version,
  }).map(([name, value]) => `      <property name="${name}" value=${xmlAttribute(value, 500)}/>`),
  `    </properties>`,
];

function testcase(row: RequirementResult): readonly string[] {
  const name = xmlAttribute(`${row.id} ${row.statement}`);
  const head = `    <testcase classname="fxconform.${row.area}" name=${name} time="${seconds(row.tookMs ?? 0)}"`;
  const inside = verdictElement(row);
  return inside ? [`${head}>`, inside, `    </testcase>`] : [`${head}/>`];
}

function verdictElement(row: RequirementResult): string | undefined {
  switch (row.verdict) {
    case "pass":
    case "warn":
      return undefined;
    case "inconclusive":
    case "skip":
      return `      <skipped message=${xmlAttribute(`${row.verdict}: ${row.reason ?? "no reason was recorded"}`)}/>`;
    case "fail": {
      const message = xmlAttribute(row.findings[0]?.message ?? row.statement, 300);
      return `      <failure type=${xmlAttribute(row.level)} message=${message}>${failureText(row)}</failure>`;
    }
  }
}

const shown = 5;

function failureText(row: RequirementResult): string {
  const more = row.findings.length - shown;
  return xmlText(
    [
      `${row.level} (${row.source}): ${row.statement}`,
      ...row.findings.slice(0, shown).map(findingText),
      ...(more > 0 ? [`and ${more} more findings in report.json`] : []),
    ].join("\n\n"),
    30_000,
  );
}

function findingText(finding: Finding): string {
  const often = frequencyText(finding);
  return [
    plain(`${finding.message}${often && ` (${often})`}`, 500),
    `expected: ${plain(expectedText(finding), 1000)}`,
    `actual:   ${plain(actualText(finding), 1000)}`,
    `replay:   ${plain(finding.replay, 2000)}`,
    `curl:     ${plain(finding.curl, 2000)}`,
  ].join("\n");
}

const warned = (rows: readonly RequirementResult[]): readonly string[] =>
  rows
    .filter((row) => row.verdict === "warn")
    .map((row) => {
      const finding = row.findings[0];
      return `warning ${row.id} ${row.statement}${finding ? `\n${findingText(finding)}` : ""}`;
    });

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

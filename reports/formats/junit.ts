import { wayText } from "../../model/network.ts";
import type { Cause, Finding, RequirementResult, Run, ToleratedFailure } from "../../model/run.ts";
import { actualText, expectedText, failuresOf, frequencyText } from "../failures.ts";
import {
  gateLine,
  reasonLines,
  toleratedLines,
  toleratedText,
  headline,
  seedsOf,
} from "../gate.ts";
import { groups } from "../../model/groups.ts";
import { atMost, reasonOf } from "../groups.ts";
import { documentPlaceText } from "../document-place.ts";
import type { Renderer } from "../saving.ts";
import { commandLine, plain, plainLines } from "../sanitize.ts";

/**
 * The JUnit report: a test suite for each area, and one for the gate with the test case
 * `fxconform.gate`. It is valid by the schemas of Ant and of Jenkins' xUnit plugin.
 */
export const junit: Renderer = {
  file: "junit.xml",
  render: (run) =>
    [
      `<?xml version="1.0" encoding="UTF-8"?>`,
      `<testsuites>`,
      ...suitesOf(run).flatMap((suite, index) => suiteLines(run, suite, index)),
      `</testsuites>`,
      ``,
    ].join("\n"),
};

type Suite = ReturnType<typeof suitesOf>[number];

function suitesOf(run: Run) {
  const known = new Map(run.gate.tolerated.map((each) => [each.requirement, each]));
  const causes = causesOf(run);
  const share = shareOf(run);
  const gate = {
    classname: "fxconform.gate",
    name: "fxconform.gate",
    ms: 0,
    result: gateResult(run),
  };
  return [
    ...[...groups(run.requirements, (row) => row.area)].map(([area, rows]) => ({
      name: `fxconform.${area}`,
      cases: rows.map((row) => ({
        classname: `fxconform.${area}`,
        name: `${row.id} ${row.statement}`,
        ms: Math.floor((row.tookMs ?? 0) * share),
        result: resultOf(row, known.get(row.id), causes, run.tokenCommand),
      })),
      output: outputOf(run, rows, known),
    })),
    { name: "fxconform.gate", cases: [gate], output: [gateLine(run), ...toleratedLines(run)] },
  ];
}

/**
 * The factor by which the time of each requirement is shortened for its test case. Scenarios run at
 * the same time and judge several requirements, so that without it the times of all cases would add
 * up to more than the duration of the run.
 */
function shareOf({ requirements, durationMs }: Run): number {
  const total = requirements.reduce((sum, { tookMs = 0 }) => sum + tookMs, 0);
  return total > durationMs ? durationMs / total : 1;
}

/** The element inside a test case. Undefined if the case passed. */
type Result = { readonly kind: "failure" | "skipped"; readonly element: string } | undefined;

function suiteLines(run: Run, { name, cases, output }: Suite, index: number): readonly string[] {
  const counted = (kind: "failure" | "skipped"): number =>
    cases.filter(({ result }) => result?.kind === kind).length;
  const attributes = {
    name,
    package: "fxconform",
    id: index,
    timestamp: run.startedAt.slice(0, 19),
    // This is not the name of the machine, because dashboards compare runs of different machines.
    hostname: "localhost",
    tests: cases.length,
    failures: counted("failure"),
    errors: 0,
    skipped: counted("skipped"),
    time: seconds(cases.reduce((sum, { ms }) => sum + ms, 0)),
  };
  const texts = Object.entries(attributes).map(([attribute, value]) => `${attribute}="${value}"`);
  return [
    `  <testsuite ${texts.join(" ")}>`,
    ...properties(run),
    ...cases.flatMap(caseLines),
    `    <system-out>${xmlText(output.join("\n"), 20_000)}</system-out>`,
    `    <system-err>${xmlText(run.warnings.join("\n"), 4000)}</system-err>`,
    `  </testsuite>`,
  ];
}

function properties(run: Run): readonly string[] {
  return [
    `    <properties>`,
    ...Object.entries({
      outcome: run.outcome,
      complete: String(run.complete),
      "base-url": run.target.baseUrl,
      ...(run.target.network === undefined ? {} : { way: wayText(run.target.network) }),
      ...(run.badCredentials === undefined
        ? {}
        : { "bad-credentials": String(run.badCredentials) }),
      profile: run.profile,
      seed: seedsOf(run),
      "run-id": run.runId,
      version: run.tool.version,
    }).map(([name, value]) => `      <property name="${name}" value=${xmlAttribute(value, 500)}/>`),
    `    </properties>`,
  ];
}

function caseLines({ classname, name, ms, result }: Suite["cases"][number]): readonly string[] {
  const head = `    <testcase classname="${classname}" name=${xmlAttribute(name)} time="${seconds(ms)}"`;
  return result ? [`${head}>`, `      ${result.element}`, `    </testcase>`] : [`${head}/>`];
}

function skipped(message: string): Result {
  return {
    kind: "skipped",
    element: `<skipped message=${xmlAttribute(message)}/>`,
  };
}

function failure(type: string, message: string, text: string): Result {
  return {
    kind: "failure",
    element: `<failure type=${xmlAttribute(type)} message=${xmlAttribute(message, 300)}>${xmlText(text, 30_000)}</failure>`,
  };
}

function resultOf(
  row: RequirementResult,
  known: ToleratedFailure | undefined,
  causes: Causes,
  token: string | undefined,
): Result {
  if (row.verdict === "pass" || row.verdict === "warn") return undefined;
  if (row.verdict !== "fail") return skipped(`${row.verdict}: ${reasonOf(row)}`);
  return known
    ? skipped(toleratedText(known))
    : failure(row.level, firstLine(row, causes), failureText(row, causes, token));
}

/** What is wrong, in one line. The text is the same for each requirement that a mistake breaks. */
function firstLine({ findings: [first], statement }: RequirementResult, causes: Causes): string {
  return first === undefined ? statement : (causes.get(first)?.text ?? first.message);
}

function gateResult(run: Run): Result {
  const reasons = reasonLines(run).map((text) => plain(text));
  return run.gate.pass ? undefined : failure("gate", gateLine(run), reasons.join("\n"));
}

/** The cause of each finding that fails a requirement. */
type Causes = ReadonlyMap<Finding, Cause>;

function causesOf(run: Run): Causes {
  return new Map(
    failuresOf(run, "fail").flatMap(({ cause, members }) =>
      members.map(({ finding }) => [finding, cause] as const),
    ),
  );
}

const shown = 5;

/**
 * The text of a failure, with curl commands. Tools show each failure alone, so each text also has
 * the command that fetches the token for them.
 */
function failureText(row: RequirementResult, causes: Causes, token: string | undefined): string {
  return [
    `${row.level} (${row.source}): ${row.statement}`,
    ...(token !== undefined && row.findings.some(({ curl }) => curl !== "")
      ? [`token:    ${plain(token, 2000)}`]
      : []),
    ...atMost(
      shown,
      row.findings.map((finding) => findingText(finding, causes.get(finding))),
      (left) => `and ${left} more findings in report.json`,
    ),
  ].join("\n\n");
}

function findingText(finding: Finding, cause?: Cause): string {
  const often = frequencyText(finding);
  return [
    plain(`${finding.message}${often && ` (${often})`}`, 500),
    `expected: ${plain(expectedText(finding), 1000)}`,
    `actual:   ${plain(actualText(finding), 1000)}`,
    ...(finding.document ? [`place:    ${plain(documentPlaceText(finding.document), 400)}`] : []),
    ...(cause !== undefined && cause.requirements.length > 1
      ? [`breaks:   ${cause.requirements.join(" ")}`]
      : []),
    `replay:   ${plain(finding.replay, 2000)}`,
    ...commandLine("curl:     ", finding.curl, 2000),
  ].join("\n");
}

/**
 * The output of a suite: the summary of the run, then the warnings and tolerated failures of the
 * suite, because no test case shows them as failed.
 */
function outputOf(
  run: Run,
  rows: readonly RequirementResult[],
  known: ReadonlyMap<string, ToleratedFailure>,
) {
  return [
    plain(run.summary),
    headline(run),
    ...(run.tokenCommand === undefined ? [] : [plain(run.tokenCommand, 2000)]),
    ...rows
      .filter(({ id, verdict }) => verdict === "warn" || (verdict === "fail" && known.has(id)))
      .map(({ id, verdict, statement, findings: [finding] }) => {
        const what = verdict === "warn" ? "warning" : "tolerated failure";
        return `${what} ${id} ${statement}${finding ? `\n${findingText(finding)}` : ""}`;
      }),
  ];
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

/**
 * A text as content of an element. Line breaks stay; characters that XML 1.0 does not allow become
 * readable escapes.
 */
function xmlText(text: string, limit: number): string {
  return entities(plainLines(text, limit), /[<>&]/g);
}

/** A text as an attribute value on one line, with its quotation marks. */
function xmlAttribute(text: string, limit?: number): string {
  return `"${entities(plain(text, limit), /[<>&"]/g)}"`;
}

function entities(text: string, read: RegExp): string {
  return text.replace(read, (found) => `&#${found.charCodeAt(0)};`);
}

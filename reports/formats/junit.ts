import {
  areasOf,
  breaking,
  namedTexts,
  pageOf,
  type Block,
  type Page,
  type Row,
  type Shown,
} from "../page.ts";
import type { Run } from "../../model/run.ts";
import { wayText } from "../../model/network.ts";
import type { Renderer } from "../saving.ts";
import { atMost } from "../wording.ts";
import { asEntities, plain, plainLines } from "../sanitize.ts";

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
      ...suitesOf(pageOf(run)).flatMap((suite, index) => suiteLines(run, suite, index)),
      `</testsuites>`,
      ``,
    ].join("\n"),
};

type Suite = ReturnType<typeof suitesOf>[number];

/** The test cases by area, each with the element inside it, which one that passed has not. */
function suitesOf(page: Page) {
  const { passes, line, reasons, tolerated } = page.gate;
  const name = "fxconform.gate";
  const result = passes ? undefined : failure("gate", line, [page.summary, ...reasons].join("\n"));
  const head = [page.summary, page.headline, ...(page.token === "" ? [] : [page.token])];
  return [
    ...areasOf(page).map(([area, rows]) => ({
      name: `fxconform.${area}`,
      cases: rows.map((row) => ({
        name: `${row.id} ${row.statement}`,
        ms: row.ms,
        result: resultOf(row, page),
      })),
      output: [...head, ...rows.flatMap((row) => unfailed(row, page))],
    })),
    { name, cases: [{ name, ms: 0, result }], output: [line, ...tolerated] },
  ];
}

function suiteLines(run: Run, { name, cases, output }: Suite, index: number): readonly string[] {
  const counted = (element: string): number =>
    cases.filter(({ result }) => result?.startsWith(element)).length;
  const attributes = {
    name,
    package: "fxconform",
    id: index,
    timestamp: run.startedAt.slice(0, 19),
    // This is not the name of the machine, because dashboards compare runs of different machines.
    hostname: "localhost",
    tests: cases.length,
    failures: counted("<failure"),
    errors: 0,
    skipped: counted("<skipped"),
    time: seconds(cases.reduce((sum, { ms }) => sum + ms, 0)),
  };
  const texts = Object.entries(attributes).map(([attribute, value]) => `${attribute}="${value}"`);
  return [
    `  <testsuite ${texts.join(" ")}>`,
    ...properties(run),
    ...cases.flatMap((one) => caseLines(name, one)),
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
      complete: run.complete,
      "base-url": run.target.baseUrl,
      way: run.target.network && wayText(run.target.network),
      "bad-credentials": run.badCredentials,
      profile: run.profile,
      seed: run.seed,
      "run-id": run.runId,
      version: run.tool.version,
    })
      .filter(([, value]) => value !== undefined)
      .map(
        ([name, value]) =>
          `      <property name="${name}" value=${xmlAttribute(String(value), 500)}/>`,
      ),
    `    </properties>`,
  ];
}

function caseLines(suite: string, { name, ms, result }: Suite["cases"][number]): readonly string[] {
  const head = `    <testcase classname="${suite}" name=${xmlAttribute(name)} time="${seconds(ms)}"`;
  return result === undefined ? [`${head}/>`] : [`${head}>`, `      ${result}`, `    </testcase>`];
}

const skipped = (message: string): string => `<skipped message=${xmlAttribute(message)}/>`;

function failure(type: string, message: string, text: string): string {
  return `<failure type=${xmlAttribute(type)} message=${xmlAttribute(message, 300)}>${xmlText(text, 30_000)}</failure>`;
}

function resultOf(row: Row, page: Page): string | undefined {
  const { verdict, reason, tolerated, level, source, statement } = row;
  if (verdict === "pass" || verdict === "warn") return undefined;
  if (verdict !== "fail") return skipped(`${verdict}: ${reason}`);
  if (tolerated !== "") return skipped(tolerated);
  const all = breaking(page, row.id);
  const hasCurl = page.token !== "" && all.some(({ shows }) => shows.curl !== "");
  const texts = [
    `${level} (${source}): ${statement}`,
    // Tools show each failure alone.
    ...(hasCurl ? [`token:    ${page.token}`] : []),
    ...atMost(
      most,
      all.map(({ block, shows }) => mistakeText(block, shows)),
      (left) => `and ${left} more mistakes`,
    ),
  ];
  return failure(level, all[0]?.block.title ?? statement, texts.join("\n\n"));
}

const most = 5;

/** A mistake, and what it shows of one requirement. */
function mistakeText({ title, breaks }: Block, shows: Shown): string {
  const ids = breaks.map(({ id }) => id).join(" ");
  const named = [
    ...(shows.message === title ? [] : [["shows", shows.message] as const]),
    ...(breaks.length > 1 ? [["breaks", ids] as const] : []),
    ...namedTexts(shows),
  ];
  const lines = named.map(([name, text]) => `${`${name}${name && ":"}`.padEnd(9)} ${text}`);
  return [title, ...lines].join("\n");
}

/** A warning or a tolerated failure, which no test case shows as failed. */
function unfailed({ id, verdict, statement, tolerated }: Row, page: Page): readonly string[] {
  if (verdict !== "warn" && (verdict !== "fail" || tolerated === "")) return [];
  const what = verdict === "warn" ? "warning" : "tolerated failure";
  const [first] = breaking(page, id);
  return [`${what} ${id} ${statement}${first ? `\n${mistakeText(first.block, first.shows)}` : ""}`];
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

/**
 * A text as content of an element. Line breaks stay; characters that XML 1.0 does not allow become
 * readable escapes.
 */
function xmlText(text: string, limit: number): string {
  return asEntities(plainLines(text, limit), /[<>&]/g);
}

/** A text as an attribute value on one line, with its quotation marks. */
function xmlAttribute(text: string, limit?: number): string {
  return `"${asEntities(plain(text, limit), /[<>&"]/g)}"`;
}

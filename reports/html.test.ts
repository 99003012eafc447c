import { describe, expect, test } from "vitest";
import { consoleText } from "./console.ts";
import { html } from "./html/page.ts";
import { junit } from "./formats/junit.ts";
import { markdown } from "./formats/markdown.ts";
import { renderers } from "./index.ts";
import type { Finding, RecordedExchange, Run } from "../model/run.ts";
import { findingOf, rowOf, rowsOf } from "../model/testing/rows.ts";
import { concluded, exchange as kept, runs, timingOf, toleratedRun } from "./testing/runs.ts";
import { faultyRun } from "./testing/whole.ts";

const { nonconformant } = runs;

/** A run without any optional member. */
const bare: Run = {
  ...nonconformant,
  requirements: nonconformant.requirements.map(({ id, area, level, statement, source, asked, verdict }, index) => ({
    id,
    area,
    level,
    statement,
    source,
    asked,
    verdict,
    findings:
      verdict === "fail" && index > 5
        ? [{ message: "m", expected: "e", actual: "a", replay: "r", curl: "c", exchange: 1 }]
        : [],
  })),
  exchanges: [
    {
      id: 1,
      operation: "listBatches",
      scenario: "BATCH-20",
      violates: [],
      intent: "valid",
      startedAt: nonconformant.startedAt,
      at: 0,
      waited: 0,
      took: 0,
      request: { method: "GET", url: "https://fx.example/batches", headers: [], bodyBytes: 0 },
    },
  ],
  ...timingOf([]),
  observations: [],
  created: [],
  warnings: [],
  withheld: [],
};

describe("absent members are never shown as undefined", () => {
  const renders = Object.values(renderers).map(({ file, render }) => [file, render] as const);
  const onConsole = (run: Run): string => consoleText(run, { color: false });
  test.each([...renders, ["console", onConsole] as const])("%s", (_, render) => {
    expect(render(bare)).not.toMatch(/undefined|NaN|\[object/);
  });
  test("each requirement that is not met is explained once on the page, without loading anything", () => {
    const page = html.render(nonconformant);
    expect(page.match(/<summary>How OPER-02 is read/g)).toHaveLength(1);
    expect(page).toContain('<pre class="copy">npx fxconform explain OPER-02</pre>');
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(html.render(runs.conformant)).not.toContain(" is read</summary>");
  });
});

test("findings with one cause are one failure: the first is shown, the others are folded", () => {
  const page = html.render(faultyRun());
  expect(page).toContain("answers invalid requests with status 500; expected: status 400");
  expect(page).toContain("3 requirements, one cause");
  expect(page).toContain("2 more findings with this cause");
});

test("of a cause, the page shows what was sent and what came for each of its requirements", () => {
  const cause = { expected: "status 400", actual: "status 200", input: "with null for a member" };
  const ids = ["OPER-24", "OPER-25", "OPER-26", "OPER-27"] as const;
  const requirements = ids.map((id) =>
    rowOf(id, "fail", {
      findings: ["a", "b", "c"].map((n) =>
        findingOf({ cause, message: `${id} ${n}`, actual: `came ${id} ${n}`, curl: `curl ${id} ${n}` }),
      ),
    }),
  );
  const page = html.render({ ...runs.nonconformant, requirements });
  for (const id of ids) {
    expect(page).toContain(`curl ${id} a`);
    expect(page).toContain(`came ${id} a`);
  }
  const console = consoleText({ ...runs.nonconformant, requirements }, { color: false, verbose: true });
  expect(console).toContain("curl OPER-24 a");
  expect(console).not.toContain("curl OPER-25");
  expect(console).toContain("11 more findings");
});

test("page, console, Markdown and JUnit report say of how many judged requirements some failed", () => {
  const headline = "1 of 2 judged MUST requirements failed; 1 could not be judged";
  const run = concluded({ requirements: rowsOf("MUST", "fail", "pass", "inconclusive") });
  for (const text of [html, markdown, junit]
    .map(({ render }) => render(run))
    .concat(consoleText(run, { color: false })))
    expect(text).toContain(headline);
});

test.each([
  [runs.conformant, "directly"],
  [runs.partial, "through the proxy http://proxy.example:3128 (HTTPS_PROXY)"],
  [
    { ...runs.conformant, target: { baseUrl: "https://fx.example", network: { way: "direct", bypass: "NO_PROXY" } } },
    "directly (NO_PROXY)",
  ],
] as const)("the reports say how requests reached the target, run %#", (run: Run, way) => {
  expect(html.render(run)).toContain(`<dt>Requests went</dt><dd>${way}</dd>`);
  const visible = renderers.markdown.render(run).replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  expect(visible).toContain(` · sent ${way} · profile ${run.profile}`);
});

test("tolerated failures show their reason", () => {
  expect(html.render(toleratedRun)).toContain("</a>, known until 2026-03-10: quotes come at night, ticket FX-12");
});

test("a requirement that passed has details: how often and in which scenarios it was judged, and an exchange", () => {
  const requirements = nonconformant.requirements.map((row) =>
    row.id === "OPER-01" ? { ...row, judgedIn: ["an operation is created"], sample: kept.id } : row,
  );
  const page = html.render({ ...nonconformant, requirements });
  const row = /<tr id="OPER-01".*?<\/tr>/s.exec(page)?.[0];
  expect(row).toContain("Judged 4 times, first in: an operation is created.");
  expect(row).toContain("req-8842");
});

const withAnswer = (response: Partial<RecordedExchange["response"] & object>): string =>
  html.render({ ...nonconformant, exchanges: [{ ...kept, response: { ...kept.response, ...response } }] } as Run);

test.each([
  [
    "a body that is JSON is indented, with the place marked",
    { body: '{"status":"created"}' },
    "{\n  <mark>&#34;status&#34;: &#34;created&#34;</mark>\n}",
  ],
  ["a body that is not JSON stays as it is", { body: "<html>" }, "&#60;html&#62;"],
  ["a long body is cut", { body: "x".repeat(5000), bodyBytes: 9000 }, "… 1000 more characters, 9000 bytes in all"],
  ["the size of a body that was not recorded is shown", { body: "", bodyBytes: 12 }, "12 bytes, not recorded"],
])("%s", (_, response, text) => {
  expect(withAnswer(response)).toContain(text);
});

test("of many findings, the first are shown in full, further ones in a line, and the others are counted", () => {
  const [row] = nonconformant.requirements.filter(({ verdict }) => verdict === "fail");
  const findings = Array.from({ length: 40 }, (): Finding => ({
    message: "m",
    expected: "e",
    actual: "a",
    replay: "r",
    curl: "c",
  }));
  const page = html.render({ ...nonconformant, requirements: [{ ...row, findings }] } as Run);
  expect(page.match(/class="finding"/g)).toHaveLength(3);
  expect(page.match(/<li>m: expected/g)).toHaveLength(12);
  expect(page).toContain("and 25 more findings, in report.json");
});

test("latency is a table with a row for each operation, and what was not sent is a sentence", () => {
  const page = html.render(runs.conformant);
  const [, table = ""] = /<table class="latency">(.*?)<\/table>/s.exec(page) ?? [];
  expect(table.match(/<th scope="row">/g)).toHaveLength(runs.conformant.latency.length);
  expect(page).toContain(`<dd>${runs.conformant.notSent}</dd>`);
});

test("mistakes of clients have a section of their own, escaped", () => {
  const text = html.render({
    ...runs.conformant,
    client: [{ operation: "createBatch", text: "without <b>a token</b>", count: 3, example: "a.har, entry 2" }],
  });
  expect(text).toContain('<section id="client"');
  expect(text).toMatch(/POST \/batches without &(lt|#60);b&(gt|#62);a token.*: 3 requests, first in a/);
  expect(html.render(runs.conformant)).not.toContain('id="client"');
});

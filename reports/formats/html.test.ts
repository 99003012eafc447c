import { other } from "../../model/mistake.ts";
import { causesOf } from "../../model/conclusion/causes.ts";
import { expect, test } from "vitest";
import { consoleText } from "../console.ts";
import { html } from "./html.ts";
import { barWidths } from "../html/page.ts";
import type { RecordedExchange, Run } from "../../model/run.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { findingOf, rowOf } from "../../model/testing/rows.ts";
import { exchange as kept, runs } from "../testing/runs.ts";
import { faultyRun } from "../testing/whole.ts";

const { nonconformant } = runs;

const refused = other("", "status 400", "status 200");

/** A run in which one mistake breaks these requirements, three times each. */
function runOf(ids: readonly RequirementId[]): Run {
  const requirements = ids.map((id) =>
    rowOf(id, "fail", {
      findings: ["a", "b", "c"].map((n) =>
        findingOf({
          mistake: refused,
          message: `${id} ${n}`,
          actual: `came ${id} ${n}`,
          curl: `curl ${id} ${n}`,
        }),
      ),
    }),
  );
  return { ...nonconformant, requirements, causes: causesOf(requirements) };
}

const count = (text: string, part: string): number => text.split(part).length - 1;

test("of a cause, the page shows what came for each requirement, and the commands of its example once", () => {
  const ids = ["OPER-24", "OPER-25", "OPER-26", "OPER-27"] as const;
  const run = runOf(ids);
  const page = html.render(run);
  for (const id of ids)
    for (const n of ["a", "b", "c"]) expect(count(page, `came ${id} ${n}`)).toBe(1);
  expect(page.match(/curl OPER-\d\d \w/g)).toEqual(["curl OPER-24 a"]);
  expect(count(page, "Check again</p>")).toBe(1);
  const console = consoleText(run, { color: false, verbose: true });
  expect(console).toContain("curl OPER-24 a");
  expect(console).not.toContain("curl OPER-25");
});

test("each mistake is a line in the words of the console, and only the first is open", () => {
  const page = html.render(faultyRun());
  const lines = page.match(/<summary><span class="sign".*?<\/summary>/g) ?? [];
  const { causes } = faultyRun();
  expect(lines).toHaveLength(causes.length);
  for (const [index, { text, level, example, requirements }] of causes.entries()) {
    const plainLine = (lines[index] ?? "").replace(/<[^>]*>/g, "").replace(/&#34;/g, '"');
    expect(plainLine).toContain(text);
    expect(plainLine).toContain(`${example?.requirement}`);
    expect(plainLine).toContain(level);
    if (requirements.length > 1) expect(plainLine).toContain(`and ${requirements.length - 1} more`);
  }
  expect(page.match(/<details id="mistake-[^>]*>/g)?.map((tag) => tag.endsWith(" open>"))).toEqual(
    causes.map((_, index) => index === 0),
  );
});

test("without styles the mistakes come first; with them, the map and the filters stand above", () => {
  const page = html.render(faultyRun());
  expect(page).toContain("main > section:not(.top, #map) { order: 1; }");
  const places = [
    '<section id="fail"',
    '<section id="map"',
    '<form id="filters"',
    '<section id="none"',
  ].map((part) => page.indexOf(part));
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test("the words of the navigation are the headings", () => {
  const page = html.render(faultyRun());
  const links = [...page.matchAll(/<li><a href="#(\w+)">([^<]*)<\/a><\/li>/g)];
  expect(links.length).toBeGreaterThan(5);
  for (const [, id, name] of links)
    expect(page).toMatch(new RegExp(`<h2 id="${id}-title">${name}(?: <|</h2>)`));
});

test("a status that differs stands without the body, which is in the response", () => {
  const requirements = [
    rowOf("OPER-24", "fail", {
      findings: [
        findingOf({
          expected: "status 400",
          actual: 'status 422 "{"error":"no"}"',
          exchange: kept.id,
        }),
      ],
    }),
  ];
  const run = { ...nonconformant, requirements, causes: causesOf(requirements), exchanges: [kept] };
  expect(html.render(run)).toContain("<pre>status <mark>422</mark></pre>");
});

test("how often a finding was seen stands only where the mistake does not say how many responses show it", () => {
  const run = runOf(["OPER-24"]);
  const requirements = run.requirements.map((row) => ({
    ...row,
    findings: row.findings.map((found) => ({ ...found, occurrences: 7 })),
  }));
  const counted = run.causes.map((cause) => ({ ...cause, responses: { affected: 7, of: 9 } }));
  expect(html.render({ ...run, requirements })).toContain("<span>7 times</span>");
  expect(html.render({ ...run, requirements, causes: counted })).not.toContain("7 times");
});

test("header lines are folded", () => {
  const page = html.render(runs.nonconformant);
  const opened = page.replace(
    /<details class="headers"><summary>\d+ header lines<\/summary>.*?<\/details>/gs,
    "",
  );
  expect(page).toContain("<i>x-request-id:</i>");
  expect(opened).not.toContain("<i>x-request-id:</i>");
});

test("requirements that wait for a mistake stand on its card, and not among those without a verdict", () => {
  const untested = html.render(runs.inconclusive);
  expect(untested).toContain("Until then 10 requirements have no verdict.");
  expect(untested).toContain("<b>10 without a verdict</b> until a mistake above is mended");
  expect(untested).not.toContain("without a verdict</b>:");
});

test("in the bar a part that is not empty is at least six pixels wide, and all parts fill it", () => {
  // The narrowest bar has 280 pixels, of which the outline of each part takes two.
  const pixels = barWidths([1, 0, 1, 0, 118]).map((width) => (width / 1000) * 280 - 2);
  expect(pixels[0]).toBeGreaterThanOrEqual(6);
  expect(pixels[2]).toBeGreaterThanOrEqual(6);
  expect(barWidths([1, 0, 1, 0, 118]).reduce((sum, width) => sum + width)).toBeCloseTo(1000);
  expect(barWidths([0, 0, 0, 0, 0])).toEqual([0, 0, 0, 0, 0]);
  expect(barWidths([60, 0, 0, 0, 60])).toEqual([500, 0, 0, 0, 500]);
});

function withAnswer(response: Partial<RecordedExchange["response"] & object>): string {
  return html.render({
    ...nonconformant,
    exchanges: [{ ...kept, response: { ...kept.response, ...response } }],
  } as Run);
}

test.each([
  [
    "a body that is JSON is indented, with the place marked",
    { body: '{"status":"created"}' },
    "{\n  <mark>&#34;status&#34;: &#34;created&#34;</mark>\n}",
  ],
  ["a body that is not JSON stays as it is", { body: "<html>" }, "&#60;html&#62;"],
  [
    "a long body is cut",
    { body: "x".repeat(5000), bodyBytes: 9000 },
    "… 1000 more characters, 9000 bytes in all",
  ],
  [
    "the size of a body that was not recorded is shown",
    { body: "", bodyBytes: 12 },
    "12 bytes, not recorded",
  ],
])("%s", (_, response, text) => {
  expect(withAnswer(response)).toContain(text);
});

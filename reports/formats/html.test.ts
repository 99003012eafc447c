import { other } from "../../model/mistake.ts";
import { causesOf } from "../../model/conclusion/causes.ts";
import { expect, test } from "vitest";
import { consoleText } from "../console.ts";
import { html } from "../html/page.ts";
import type { RecordedExchange, Run } from "../../model/run.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { findingOf, rowOf } from "../../model/testing/rows.ts";
import { exchange as kept, runs } from "../testing/runs.ts";

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
  for (const id of ids) expect(count(page, `came ${id} a`)).toBe(1);
  expect(page.match(/curl OPER-\d\d \w/g)).toEqual(["curl OPER-24 a"]);
  expect(count(page, "Check again</p>")).toBe(1);
  const console = consoleText(run, { color: false, verbose: true });
  expect(console).toContain("curl OPER-24 a");
  expect(console).not.toContain("curl OPER-25");
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

function withAnswer(response: Partial<RecordedExchange["response"] & object>): string {
  return html.render({
    ...nonconformant,
    exchanges: [{ ...kept, response: { ...kept.response, ...response } }],
  });
}

test.each([
  [
    "a body that is JSON is indented, with the place marked",
    { body: '{"status":"created"}' },
    "{\n  <mark>&#34;status&#34;: &#34;created&#34;</mark>\n}",
  ],
  [
    "a long body is cut",
    { body: "x".repeat(5000), bodyBytes: 9000 },
    "… 1000 more characters, 9000 bytes in all",
  ],
])("%s", (_, response, text) => {
  expect(withAnswer(response)).toContain(text);
});

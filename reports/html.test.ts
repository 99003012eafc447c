import { causesOf } from "../model/conclusion/causes.ts";
import { expect, test } from "vitest";
import { consoleText } from "./console.ts";
import { html } from "./html/page.ts";
import type { RecordedExchange, Run } from "../model/run.ts";
import { findingOf, rowOf } from "../model/testing/rows.ts";
import { exchange as kept, runs } from "./testing/runs.ts";

const { nonconformant } = runs;

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
  const run = { ...runs.nonconformant, requirements, causes: causesOf(requirements) };
  const page = html.render(run);
  for (const id of ids) {
    expect(page).toContain(`curl ${id} a`);
    expect(page).toContain(`came ${id} a`);
  }
  const console = consoleText(run, { color: false, verbose: true });
  expect(console).toContain("curl OPER-24 a");
  expect(console).not.toContain("curl OPER-25");
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

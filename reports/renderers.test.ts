import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { consoleText } from "./console.ts";
import { renderers } from "./index.ts";
import type { Run } from "../model/run.ts";
import { fullRun, runs } from "./testing/runs.ts";

const folder = join(import.meta.dirname, "testing", "golden");

/** The page without style and script, which are the same in every page. The browser tests check them. */
const withoutConstants = (page: string): string =>
  page.replace(/(<(style|script)>).*?(<\/\2>)/gs, "$1$3").replace(/'sha256-[^']+'/g, "'sha256-'");

const { json, junit, html, markdown, metrics } = renderers;

const texts = {
  ...Object.fromEntries(Object.values(renderers).map(({ file, render }) => [file, render] as const)),
  "report.html": (run: Run) => withoutConstants(html.render(run)),
  "console.txt": (run: Run) => consoleText(run, { color: false }),
  "console-color.txt": (run: Run) => consoleText(run, { color: true, width: 100 }),
};

describe.each(Object.entries(texts))("%s", (file, render) => {
  test.each(Object.entries({ conformant: runs.conformant, full: fullRun }))(
    "of the %s run equals its golden file",
    async (name, run) => {
      await expect(render(run)).toMatchFileSnapshot(join(folder, `${name}.${file}.golden`));
    },
  );

  test("is the same for a run that was read from report.json", () => {
    expect(render(JSON.parse(JSON.stringify(fullRun)) as Run)).toBe(render(fullRun));
  });
});

describe.each(Object.entries(runs))("a run that is %s", (outcome, run) => {
  test("says so in every report that has conclusions", () => {
    expect(JSON.parse(json.render(run))).toMatchObject({ outcome, gate: { pass: run.gate.pass } });
    expect(html.render(run)).toContain(`<title>${outcome}: `);
    expect(markdown.render(run)).toMatch(new RegExp(`^## .* ${outcome}\n`));
    expect(metrics.render(run)).toMatch(new RegExp(`^fxconform_outcome\\{.*outcome="${outcome}".*\\} 1$`, "m"));
    const [, gate = ""] = /<testcase classname="fxconform\.gate"([^]*)/.exec(junit.render(run)) ?? [];
    expect(gate.includes("<failure")).toBe(!run.gate.pass);
  });
});

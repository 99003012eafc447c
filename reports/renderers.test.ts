import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { consoleText } from "./console.ts";
import { renderers } from "./index.ts";
import type { Run } from "../model/run.ts";
import { corpus, hostileRun } from "./testing/hostile.ts";
import { runs } from "./testing/runs.ts";

const folder = join(import.meta.dirname, "testing", "golden");

/** Compares a text with its golden file, or writes the file if FXCONFORM_UPDATE_GOLDEN is set. */
function golden(name: string, text: string): void {
  const file = join(folder, `${name}.golden`);
  if (process.env["FXCONFORM_UPDATE_GOLDEN"]) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, text);
  }
  expect(text).toBe(readFileSync(file, "utf8"));
}

/** The page without style and script, which are the same in every page. The browser tests check them. */
const withoutConstants = (page: string): string =>
  page.replace(/(<(style|script)>).*?(<\/\2>)/gs, "$1$3").replace(/'sha256-[^']+'/g, "'sha256-'");

const texts = {
  ...Object.fromEntries(Object.values(renderers).map(({ file, render }) => [file, (run: Run) => render(run)] as const)),
  "report.html": (run: Run) => withoutConstants(renderers.html.render(run)),
  "console.txt": (run: Run) => consoleText(run, { color: false }),
  "console-color.txt": (run: Run) => consoleText(run, { color: true, width: 100 }),
};

describe.each(Object.entries(texts))("%s", (file, render) => {
  test.each(Object.entries(runs))("of a run that is %s equals its golden file", (outcome, run) => {
    golden(`${outcome}.${file}`, render(run));
  });

  test("is the same for a run that was read from report.json", () => {
    expect(render(JSON.parse(JSON.stringify(runs.nonconformant)) as Run)).toBe(render(runs.nonconformant));
  });

  test("of the hostile run equals its golden file", () => {
    golden(`hostile.${file}`, render(hostileRun(Object.values(corpus).join(" "))));
  });
});

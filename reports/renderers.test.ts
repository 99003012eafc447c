import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { consoleText } from "./console.ts";
import { renderers } from "./index.ts";
import type { Run } from "../model/run.ts";
import { fullRun, runs } from "./testing/runs.ts";

const folder = join(import.meta.dirname, "testing", "golden");

/** What a page says, from top to bottom: a line for each paragraph, item, heading or row. */
function wordsOf(page: string): string {
  return page
    .replace(/^.*<body>/s, "")
    .replace(/<(style|script|svg)\b.*?<\/\1>/gs, "")
    .replace(/\s+/g, " ")
    .replace(/<\/?(?:p|li|h\d|tr|dt|div|details|legend|pre|summary|nav|button)\b[^>]*>/g, "\n")
    .replace(/<[^>]+>/g, " ")
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .split("\n")
    .map((line) => line.replace(/ +/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}

/** The file without the counts below each bound, which another test checks. */
function withoutBuckets(text: string): string {
  return text.replace(/^.*_bucket\{.*\n/gm, "");
}

/** The file with the properties of its first suite only, because all suites have the same. */
function withOneProperties(text: string): string {
  const [first = "", ...others] = text.split(/(?<=<\/properties>)/);
  return first + others.join("").replace(/\n *<properties>.*?<\/properties>/gs, "");
}

const { json, junit, html, markdown, metrics } = renderers;

const texts: Readonly<Record<string, (run: Run) => string>> = {
  ...Object.fromEntries(
    Object.values(renderers).map(({ file, render }) => [file, render] as const),
  ),
  "console.txt": (run: Run) => consoleText(run, { color: false }),
  "console-color.txt": (run: Run) => consoleText(run, { color: true, width: 100 }),
};

/**
 * What people read of a run that has everything, and of a run without findings. Other tests check
 * the values that only programs read.
 */
const looks: readonly { readonly name: string; readonly run: Run; readonly file: string }[] = [
  ...[html.file, junit.file, markdown.file, metrics.file].map((file) => ({
    name: "full",
    run: fullRun,
    file,
  })),
  { name: "full", run: fullRun, file: "console-color.txt" },
  { name: "conformant", run: runs.conformant, file: "summary.md" },
  { name: "conformant", run: runs.conformant, file: "console.txt" },
];

/** The part of each file that people read. A file that is not listed is read as a whole. */
const readIn: Readonly<Record<string, (text: string) => string>> = {
  [html.file]: wordsOf,
  [junit.file]: withOneProperties,
  [metrics.file]: withoutBuckets,
};

test.each(looks)("$file of the $name run reads as its golden file", async ({ name, run, file }) => {
  const text = texts[file]?.(run) ?? "";
  const read = readIn[file]?.(text) ?? text;
  await expect(read).toMatchFileSnapshot(join(folder, `${name}.${file}.golden`));
});

describe.each(Object.entries(runs))("a run that is %s", (outcome, run) => {
  test("says so in every report that has conclusions", () => {
    expect(JSON.parse(json.render(run))).toMatchObject({ outcome, gate: { pass: run.gate.pass } });
    expect(html.render(run)).toContain(`<title>${outcome}: `);
    expect(markdown.render(run)).toMatch(new RegExp(`^## .* ${outcome}\n`));
    expect(metrics.render(run)).toMatch(
      new RegExp(`^fxconform_outcome\\{.*outcome="${outcome}".*\\} 1$`, "m"),
    );
    const [, gate = ""] =
      /<testcase classname="fxconform\.gate"([^]*)/.exec(junit.render(run)) ?? [];
    expect(gate.includes("<failure")).toBe(!run.gate.pass);
  });
});

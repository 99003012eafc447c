import { describe, expect, test } from "vitest";
import { annotations } from "./annotations.ts";
import { pageOf } from "./page.ts";
import { consoleText } from "./console.ts";
import { renderers } from "./index.ts";
import type { ReportName } from "../model/run-options.ts";
import { readRun } from "./read.ts";
import { corpus, hostileRun, hostileStrings } from "./testing/hostile.ts";
import { xmlRoot } from "./testing/xml.ts";

// oxlint-disable-next-line no-control-regex
const hazards =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]/;
const ciCommand = /##(?:\[|vso\[|teamcity\[)|^\s*::/m;

/** The tags of a page in their order, without attributes and texts. */
const skeleton = (markup: string): readonly string[] => markup.match(/<\/?[a-z][\w-]*/g) ?? [];

/**
 * The largest size of each report in bytes, for a run with 400 KB in every place. `report.json` has
 * no bound of its own.
 */
const bounds = {
  junit: 400_000,
  html: 1_000_000,
  markdown: 60_000,
  metrics: 40_000,
} as const satisfies Record<Exclude<ReportName, "json">, number>;

const tameRun = hostileRun("tame");
const tame = { markdown: renderers.markdown.render(tameRun), html: renderers.html.render(tameRun) };

describe.each(Object.entries(corpus))("%s in every place that a server controls", (_, text) => {
  const run = hostileRun(text);

  test("leaves XML well-formed", () => {
    expect(() => xmlRoot(renderers.junit.render(run))).not.toThrow();
  });

  test("leaves JSON as it was", () => {
    expect(readRun(renderers.json.render(run))).toEqual(JSON.parse(JSON.stringify(run)));
  });

  test("does not change the shape of Markdown", () => {
    const made = renderers.markdown.render(run);
    const plain = tame.markdown;
    expect(skeleton(made)).toEqual(skeleton(plain));
    expect(made.split("\n").map(shapeOf)).toEqual(plain.split("\n").map(shapeOf));
    expect(withoutPre(made)).not.toMatch(/`|!\[|\]\(|https?:|www\./);
  });

  test("does not change the shape of HTML", () => {
    const made = renderers.html.render(run);
    const plain = tame.html;
    expect(skeleton(made)).toEqual(skeleton(plain));
  });

  test("cannot reach a terminal or a CI runner", () => {
    const made = consoleText(run, { color: false });
    expect(made).not.toMatch(hazards);
    expect(made).not.toMatch(ciCommand);
    expect(made.trimEnd().split("\n").slice(-2)).toEqual([
      expect.stringMatching(/^✗ nonconformant · /),
      "✗ The gate fails: a target that was not tested and OPEN-01.",
    ]);
    for (const line of annotations(pageOf({ ...run, narrowed: [text] }), "/folder")) {
      expect(line).toMatch(/^::(?:error|warning) title=[^:,]*::[^\n]*$/);
      expect(line.replace(/^::\w+ /, "")).not.toMatch(hazards);
      expect(line.replace(/^::\w+ /, "")).not.toMatch(ciCommand);
    }
    for (const { render } of Object.values(renderers)) {
      const file = render(run);
      expect(file).not.toMatch(hazards);
      expect(file).not.toMatch(ciCommand);
    }
  });
});

test.each(
  hostileStrings.slice(Object.keys(corpus).length).map((text) => [text.slice(0, 3), text] as const),
)("400 KB of %j stay within the bounds of each report", (_, text) => {
  const run = hostileRun(text);
  for (const [name, bound] of Object.entries(bounds)) {
    const { render } = renderers[name as keyof typeof bounds];
    expect(Buffer.byteLength(render(run)), name).toBeLessThan(bound);
  }
  expect(consoleText(run, { color: false }).length).toBeLessThan(100_000);
});

/**
 * What a line means in Markdown: its first characters if they have a meaning, and the number of
 * table cells.
 */
function shapeOf(line: string): string {
  return line.startsWith("|")
    ? `table of ${line.split("|").length}`
    : (/^(?:#+ |- |> |<[a-z/]+|\d+\. | {4}|=+$|-+$|```|~~~)/.exec(line)?.[0] ?? "text");
}

const withoutPre = (markup: string): string => markup.replace(/<pre>.*?<\/pre>/gs, "");

import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { pathOf } from "../../model/testing/system-programs.ts";
import { concluded, runs } from "../testing/runs.ts";
import { corpus, hostileRun } from "../testing/hostile.ts";
import { expositionText, histogram } from "./exposition.ts";
import { metrics } from "./metrics.ts";

const certificate = {
  subject: "fx.example",
  issuer: "Example CA",
  expires: "2026-05-01T12:00:00.000Z",
  protocol: "TLSv1.3",
};
const texts: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(runs).map(([name, run]) => [name, metrics.render(run)])),
  certified: metrics.render(concluded({ certificate, target: { baseUrl: "https://fx.example" } })),
  hostile: metrics.render(hostileRun(Object.values(corpus).join(" "))),
};

/** The Python client of Debian (python3-prometheus-client) has parsers for OpenMetrics and for Prometheus. */
const parser = (module: string): readonly [string, readonly string[]] => [
  pathOf("python3") ?? "python3",
  [
    "-c",
    `import json, sys\nfrom prometheus_client.${module} import text_string_to_metric_families as read\n` +
      "print(json.dumps([[f.name, f.type, [[s.name, s.labels, s.value] for s in f.samples]] for f in read(sys.stdin.read())]))",
  ],
];

const parsed = (module: string, text: string): unknown => {
  const [program, words] = parser(module);
  return JSON.parse(execFileSync(program, words, { input: text, encoding: "utf8", timeout: 20_000 }));
};

test("promtool accepts the file of every run", { tags: "promtool" }, () => {
  for (const [name, text] of Object.entries(texts)) {
    const output = execFileSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8", timeout: 20_000 });
    expect([name, output]).toEqual([name, ""]);
  }
});

test.each(["openmetrics.parser", "parser"])(
  "%s of Debian's client library reads the file of each run",
  { tags: "python3" },
  (module) => {
    for (const text of Object.values(texts)) {
      const families = parsed(module, text) as readonly (readonly [string, string, readonly unknown[]])[];
      expect(families.map(([name]) => name)).toContain("fxconform_run_duration_seconds");
      expect(families.filter(([, type]) => type !== "gauge" && type !== "histogram")).toEqual([]);
      const samples = families.reduce((sum, [, , rows]) => sum + rows.length, 0);
      expect(samples).toBe(text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).length);
    }
  },
);

describe("the file", () => {
  const labels = 'target="https://fx.example:4010",profile="full"';
  const lines = metrics.render(concluded({ certificate })).split("\n");

  test.each([
    `fxconform_gate_pass{${labels}} 1`,
    `fxconform_outcome{${labels},outcome="conformant"} 1`,
    `fxconform_outcome{${labels},outcome="inconclusive"} 0`,
    `fxconform_requirements{${labels},verdict="pass"} 10`,
    `fxconform_requests{${labels}} 12`,
    `fxconform_response_seconds_bucket{${labels},operation="createOperation",le="0.025"} 2`,
    `fxconform_response_seconds_bucket{${labels},operation="createOperation",le="+Inf"} 3`,
    `fxconform_response_seconds_count{${labels},operation="createOperation"} 3`,
    `fxconform_response_seconds_sum{${labels},operation="createOperation"} 0.2866`,
    `fxconform_certificate_expiry_timestamp_seconds{${labels}} 1777636800`,
    `fxconform_run_start_timestamp_seconds{${labels}} 1772355600`,
    `fxconform_run_duration_seconds{${labels}} 1.3166`,
  ])("has %s", (line) => {
    expect(lines).toContain(line);
  });

  test("ends with # EOF and a line break, and has no empty line", () => {
    expect(lines.slice(-2)).toEqual(["# EOF", ""]);
    expect(lines.slice(0, -1)).not.toContain("");
  });

  test("has the value 0 for a failed gate", () => {
    expect(texts["nonconformant"]).toMatch(/^fxconform_gate_pass\{.*\} 0$/m);
    expect(texts["inconclusive"]).toMatch(/outcome="inconclusive"\} 1$/m);
    expect(texts["inconclusive"]).not.toContain("certificate");
    expect(texts["inconclusive"]).not.toContain("response_seconds");
  });
});

test("the buckets of a histogram are cumulative and include values equal to their bound", () => {
  const values = [0.1, 0.2, 3].map((value) => [value, 1] as const);
  const samples = histogram({}, { values, count: 3, sum: 0.1 + 0.2 + 3 }, [0.1, 1]);
  expect(samples.map(({ suffix, labels, value }) => `${suffix} ${labels["le"] ?? "-"} ${value}`)).toEqual([
    "_bucket 0.1 1",
    "_bucket 1.0 2",
    "_bucket +Inf 3",
    "_count - 3",
    "_sum - 3.3",
  ]);
  expect(expositionText([{ name: "a", type: "gauge", help: "A.", samples: [] }])).toBe("# EOF\n");
});

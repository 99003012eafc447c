import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { concluded, runs, toleratedRun } from "../testing/runs.ts";
import { corpus, hostileRun } from "../testing/hostile.ts";
import { histogram, metrics } from "./metrics.ts";

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

test("promtool accepts the file of every run", { tags: "promtool" }, () => {
  for (const [name, text] of Object.entries(texts)) {
    const output = execFileSync("promtool", ["check", "metrics"], {
      input: text,
      encoding: "utf8",
      timeout: 20_000,
    });
    expect([name, output]).toEqual([name, ""]);
  }
});

test("the file says what failed, and nothing of what is not known", () => {
  expect(texts["nonconformant"]?.match(/^fxconform_requirement_failed\{/gm)).toHaveLength(2);
  expect(texts["nonconformant"]).toMatch(/^fxconform_gate_pass\{.*\} 0$/m);
  expect(metrics.render(toleratedRun)).toMatch(/requirement="OPER-02".*,tolerated="true"\} 1$/m);
  expect(texts["inconclusive"]).not.toMatch(/requirement_failed|certificate|response_seconds/);
});

test("the buckets of a histogram are cumulative and include values equal to their bound", () => {
  const values = [100, 200, 3000].map((value) => [value, 1] as const);
  const samples = histogram({}, { histogram: values, count: 3, sum: 100 + 200 + 3000 });
  const chosen = samples.filter(([, { le = "" }]) => /^(?:|0\.1|1\.0|\+Inf)$/.test(le));
  expect(
    chosen.map(([suffix, labels, value]) => `${suffix} ${labels["le"] ?? "-"} ${value}`),
  ).toEqual(["_bucket 0.1 1", "_bucket 1.0 2", "_bucket +Inf 3", "_count - 3", "_sum - 3.3"]);
});

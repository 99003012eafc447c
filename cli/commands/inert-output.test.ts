import { expect, test } from "vitest";
import { parse } from "yaml";
import { json } from "../../reports/formats/json.ts";
import { runs } from "../../reports/testing/runs.ts";
import type { Run } from "../../model/run.ts";
import { local, testContext } from "../testing/test-context.ts";

const hostile = "::error::x ##[group]y \u202ez\u{e0041}\u200b\r\n::error::of a line of its own";
const acts = /##\[|^\s*::|[\u200b\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/mu;
const run: Run = {
  ...runs.conformant,
  summary: hostile,
  observations: [
    { id: "OPEN-01", question: "?", answers: [{ case: hostile, answer: hostile, count: 1 }] },
    { id: "OPEN-02", question: "?", answers: [{ case: "IMPORT", answer: "201", count: 1 }] },
  ],
};
const other: Run = {
  ...run,
  observations: [
    { id: "OPEN-01", question: "?", answers: [{ case: hostile, answer: "1", count: 1 }] },
  ],
};

test("--json, diff --json, pin and report.json show nothing that a terminal or a CI runner acts on", async () => {
  const here = testContext(() => Promise.resolve(run));
  here.file("report.json", json.render(run));
  here.file("other.json", json.render(other));
  const line = await here.run(`run ${local} --json`);
  expect(JSON.parse(line.stdout)).toMatchObject({ summary: hostile });
  const difference = await here.run("diff report.json other.json --json");
  expect(JSON.stringify(JSON.parse(difference.stdout))).toContain("::error::x");
  const pinned = await here.run("pin report.json");
  expect(parse(pinned.stdout)).toEqual({ "OPEN-01": hostile, "OPEN-02": "201" });
  for (const { stdout, stderr } of [line, difference, pinned])
    expect(stdout + stderr).not.toMatch(acts);
  expect(json.render(run)).not.toMatch(acts);
});

test("what is wrong in a configuration file is quoted briefly, without credentials, and acts on nothing", async () => {
  const here = testContext();
  const keys = {
    [hostile]: 1,
    [`k${"x".repeat(5000)}`]: 1,
    baseUrl: "https://me:pass/word-1@fx.example/?api_key=k-99",
  };
  here.file("fxconform.config.json", JSON.stringify(keys));
  const { code, stderr } = await here.run("run --proxy me:pass-word-2@proxy:3128");
  expect(code).toBe(2);
  expect(stderr).not.toMatch(acts);
  expect(stderr).not.toMatch(/word-1|word-2|k-99/);
  for (const line of stderr.split("\n")) expect(line.length).toBeLessThan(700);
});

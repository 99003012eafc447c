import { Ajv2020 } from "ajv/dist/2020.js";
import schema from "./report.schema.json" with { type: "json" };
import { describe, expect, test } from "vitest";
import { json } from "./formats/json.ts";
import { ReportError, readRun } from "./read.ts";
import { fullRun, runs, toleratedRun } from "./testing/runs.ts";

test.each(
  [...Object.values(runs), fullRun, toleratedRun].map((run) => [run.outcome, run] as const),
)("a %s run is read as it was written, and written again byte by byte", (_, run) => {
  const text = json.render(run);
  expect(readRun(text)).toEqual(run);
  expect(json.render(readRun(text))).toBe(text);
});

test("a report names its schema; one that does not is read too, and what this version does not know is kept", () => {
  const text = json.render(runs.conformant);
  expect(JSON.parse(text)).toMatchObject({ $schema: "urn:fxconform:report:3" });
  const { $schema: _, ...older } = JSON.parse(text) as Record<string, unknown>;
  expect(readRun(JSON.stringify({ ...older, added: 1 }))).toEqual({ ...readRun(text), added: 1 });
});

describe("refuses, and says what to do", () => {
  const whole = runs.nonconformant;
  test.each([
    ["", /^The report is empty\. Give a report\.json/],
    ["{", /^The report is not JSON: .+ Give a report\.json/],
    ["[]", /^This is JSON, but not a report of fxconform: it has no formatVersion\./],
    [
      '{"formatVersion":4}',
      /^The report has formatVersion 4; this fxconform reads 6\. Use the version/,
    ],
    [
      JSON.stringify({ ...whole, outcome: "fine" }),
      /at \/outcome it must be equal to one of the allowed values/,
    ],
    [
      JSON.stringify(whole).replace('"durationMs":1316.6', '"durationMs":1e999'),
      /at \/durationMs it must be number/,
    ],
    [
      JSON.stringify({ ...whole, requirements: [{}] }),
      /at \/requirements\/0 it must have required property 'id'/,
    ],
  ])("%j", (text, message) => {
    expect(() => readRun(text)).toThrow(ReportError);
    expect(() => readRun(text)).toThrow(message);
  });
});

test("the schema names every member of a report", () => {
  const closed = JSON.parse(JSON.stringify(schema), (_, value: { properties?: object } | null) =>
    value?.properties === undefined ? value : { additionalProperties: false, ...value },
  ) as object;
  const check = new Ajv2020({ strict: false }).compile(closed);
  for (const run of [fullRun, ...Object.values(runs)])
    expect([check(JSON.parse(json.render(run))), check.errors]).toEqual([true, null]);
});

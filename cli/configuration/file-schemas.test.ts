import { readFileSync, writeFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { format } from "prettier";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { json } from "../../reports/formats/json.ts";
import { runs } from "../../reports/testing/runs.ts";
import { questionIds } from "../../spec/questions.ts";
import { baselineSchema, statementSchema } from "./file-schemas.ts";
import { local, testContext } from "../testing/test-context.ts";

const schemas = { statement: statementSchema(), baseline: baselineSchema() };

test.each(["statement", "baseline"] as const)(
  "the published schema of a %s is fresh; FXCONFORM_UPDATE_GOLDEN=1 writes it",
  async (name) => {
    const file = new URL(`../${name}.schema.json`, import.meta.url);
    const text = await format(JSON.stringify(schemas[name]), { parser: "json", printWidth: 120 });
    if (process.env["FXCONFORM_UPDATE_GOLDEN"]) writeFileSync(file, text);
    expect(readFileSync(file, "utf8")).toBe(text);
  },
);

const checks = {
  statement: new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schemas.statement),
  baseline: new Ajv2020({ strict: true }).compile(schemas.baseline),
};

test.each<["statement" | "baseline", string]>([
  ["statement", "{}"],
  ["statement", "OPEN-01: 201"],
  ["statement", "$schema: s\nOPEN-01: [yes, '201', 3]"],
  ["statement", "OPEN-01: []"],
  ["statement", "OPEN-01: { a: 1 }"],
  ["statement", "OPEN-01: { refused with 400: [without /name, 2] }"],
  ["statement", "OPEN-01: { a: [] }"],
  ["statement", "OPEN-01: {}"],
  ["statement", "OPEN-01: { a: [x, { GET /batches with: [a, b] }] }"],
  ["statement", "OPEN-01: { a: [{}] }"],
  ["statement", "OPEN-01: { a: [{ b: [] }] }"],
  ["statement", "OPEN-01: { a: [[x]] }"],
  ["statement", "OPEN-01: { a: { b: c } }"],
  ["statement", "OPEN-01: [[1]]"],
  ["statement", "OPEN-01:"],
  ["statement", "OPEN-99: 201"],
  ["statement", "[]"],
  ["statement", ""],
  ["baseline", "[]"],
  ["baseline", "[{ requirement: OPER-02, reason: known, expires: 2030-01-31 }]"],
  ["baseline", "[{ requirement: oper-02, reason: known, expires: 2030-01-31 }]"],
  ["baseline", "[{ requirement: OPER-99, reason: known, expires: 2030-01-31 }]"],
  ["baseline", "[{ requirement: OPER-02, reason: ' ', expires: 2030-01-31 }]"],
  ["baseline", "[{ requirement: OPER-02, reason: known, expires: 2030-13-31 }]"],
  ["baseline", "[{ requirement: OPER-02, reason: known }]"],
  ["baseline", "[{ requirement: OPER-02, reason: known, expires: 2030-01-31, finding: { expected: a, actual: b } }]"],
  ["baseline", "[{ requirement: OPER-02, reason: known, expires: 2030-01-31, finding: { expected: a } }]"],
  ["baseline", "[{ requirement: OPER-02, reason: known, expires: 2030-01-31, until: x }]"],
  ["baseline", "OPER-02: known"],
  ["baseline", ""],
])("schema and reader agree about the %s %j", async (name, text) => {
  const { run, file } = testContext();
  file("f.yaml", text);
  const { code } = await run(`run ${local} --reports json --${name} f.yaml`);
  expect(checks[name](parse(text))).toBe(code === 0);
});

test("what pin writes names the schema of statements and keeps to it", async () => {
  const { run, file } = testContext();
  const observations = questionIds.map((id) => ({
    id,
    question: "?",
    answers: [{ case: "any", answer: "a: 1", count: 1 }],
  }));
  file("r.json", json.render({ ...runs.conformant, observations }));
  const { stdout } = await run("pin r.json");
  expect(stdout).toMatch(/^# yaml-language-server: \$schema=.*statement\.schema\.json\n/);
  expect(checks.statement(parse(stdout))).toBe(true);
});

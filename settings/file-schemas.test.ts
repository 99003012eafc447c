import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { readBaseline } from "./baseline.ts";
import { UsageError } from "./problem.ts";
import { readStatement } from "./statement.ts";

function schemaOf(name: string): object {
  return JSON.parse(
    readFileSync(new URL(`${name}.schema.json`, import.meta.url), "utf8"),
  ) as object;
}
const checks = {
  statement: new Ajv2020({ strict: true, strictTypes: false }).compile(schemaOf("statement")),
  baseline: new Ajv2020({ strict: true, strictTypes: false }).compile(schemaOf("baseline")),
};
const readers = { statement: readStatement, baseline: readBaseline };

test.each<["statement" | "baseline", string]>([
  ["statement", "{}"],
  ["statement", "$schema: s\nOPEN-01: [yes, '201', 3]"],
  ["statement", "OPEN-01: { a: 1 }"],
  ["statement", "OPEN-01: { refused with 400: [without /name, 2] }"],
  ["statement", "OPEN-01: { a: [] }"],
  ["statement", "OPEN-01: { a: [{}] }"],
  ["statement", "OPEN-99: 201"],
  ["statement", ""],
  ["baseline", "[{ requirement: OPER-02, reason: known, expires: 2030-01-31 }]"],
  ["baseline", "[{ requirement: OPER-02, reason: ' ', expires: 2030-01-31 }]"],
  ["baseline", "[{ requirement: OPER-02, reason: known, expires: 2030-13-31 }]"],
  ["baseline", "[{ requirement: OPER-02, reason: known }]"],
  [
    "baseline",
    "[{ requirement: OPER-02, reason: known, expires: 2030-01-31, finding: { expected: a, actual: b } }]",
  ],
  [
    "baseline",
    "[{ requirement: OPER-02, reason: known, expires: 2030-01-31, finding: { expected: a } }]",
  ],
  ["baseline", "[{ requirement: OPER-02, reason: known, expires: 2030-01-31, until: x }]"],
  ["baseline", ""],
])("schema and reader agree about the %s %j", async (name, text) => {
  const path = join(temporaryFolder(), "f.yaml");
  writeFileSync(path, text);
  const isRead = await readers[name](path, `--${name}`).then(
    () => true,
    (error: unknown) => !(error instanceof UsageError),
  );
  expect(checks[name](parse(text))).toBe(isRead);
});

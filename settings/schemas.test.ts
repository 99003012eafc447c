import { readFileSync, writeFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { read } from "./kinds/kind.ts";
import { optionNames, optionOf, options } from "./options.ts";
import { join } from "node:path";
import { parse } from "yaml";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { readBaseline } from "./baseline.ts";
import { UsageError } from "./problem.ts";
import { readStatement } from "./statement.ts";

/** A published schema, as a function that checks a value. */
function checkOf(name: string) {
  const text = readFileSync(new URL(`${name}.schema.json`, import.meta.url), "utf8");
  return new Ajv2020({ strict: true, strictTypes: false }).compile(JSON.parse(text) as object);
}
const check = checkOf("config");

function accepts(name: keyof typeof options, value: unknown): boolean {
  return "value" in read(optionOf(name).kind.schema, value);
}

const values: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  2.5,
  3,
  -1,
  300,
  1e12,
  "",
  " ",
  ..."https://localhost ftp://x https://h/?a http://h#f k f 17 0 x 10s 1500ms 10h 1MiB 1XB".split(
    " ",
  ),
  ..."smoke full json USDBRL,EURBRL 1..2:3 1..2 ..2".split(" "),
  [],
  [1],
  ["USDBRL"],
  ["usd"],
  ["EFX"],
  ["IMPORT"],
  ["junit", "html"],
  ["pdf"],
  {},
  { min: 1, max: 2 },
  { min: 1, max: 2, decimals: 9 },
  { min: "1", max: 2 },
  { min: 1, max: 2, x: 1 },
  { operation_ids: ["{operation_id}"], note: null },
  '{ "operation_ids": ["{operation_id}"] }',
  { operation_ids: ["{id}"] },
  { currency_pair: "USDBRL", note: 1 },
];

/** What a schema cannot express: how parts of a value relate to each other. */
const beyondSchema =
  "baseUrl currencyPairs otherPurposes reports only exclude batchMembers maxLatency headers".split(
    " ",
  );

test.each(optionNames)("the published schema and the table agree about %s", (name) => {
  for (const value of values) {
    const bySchema = check({ [name]: value });
    if (accepts(name, value)) expect(bySchema, `${name}: ${JSON.stringify(value)}`).toBe(true);
    else if (!beyondSchema.includes(name) && typeof value !== "string")
      expect(bySchema, `${name}: ${JSON.stringify(value)}`).toBe(false);
  }
});

test("every default is a value that the option takes", () => {
  for (const name of optionNames) {
    const { fallback } = optionOf(name);
    if (fallback !== undefined) expect(accepts(name, fallback), name).toBe(true);
  }
});

const checks = { statement: checkOf("statement"), baseline: checkOf("baseline") };
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

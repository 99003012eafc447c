import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { read } from "./kinds/kind.ts";
import { optionNames, optionOf, options } from "./options.ts";

const schema = JSON.parse(
  readFileSync(new URL("config.schema.json", import.meta.url), "utf8"),
) as object;
const check = new Ajv2020({ strict: true, strictTypes: false }).compile(schema);

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

import { readFileSync, writeFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { format } from "prettier";
import { expect, test } from "vitest";
import { configSchema } from "./config-schema.ts";
import { Misfit } from "./kinds/kind.ts";
import { optionNames, optionOf, options } from "./options.ts";

const file = new URL("../config.schema.json", import.meta.url);
const check = new Ajv2020({ strict: true }).compile(configSchema());

test("the published schema follows from the table; FXCONFORM_UPDATE_GOLDEN=1 writes it", async () => {
  const text = await format(JSON.stringify(configSchema()), { parser: "json", printWidth: 120 });
  if (process.env["FXCONFORM_UPDATE_GOLDEN"]) writeFileSync(file, text);
  expect(readFileSync(file, "utf8")).toBe(text);
});

const values: readonly unknown[] = [
  ...[null, true, false, 0, 1, 2.5, 3, -1, 300, 1e12, "", " "],
  ..."https://localhost ftp://x https://h/?a http://h#f k f 17 0 x 1/2 10s 1500ms 10h 1MiB 1XB".split(" "),
  ..."smoke full json USDBRL,EURBRL 1..2:3 1..2 ..2".split(" "),
  ...[[], [1], ["USDBRL"], ["usd"], ["EFX"], ["IMPORT"], ["junit", "har"], ["pdf"]],
  ...[{}, { min: 1, max: 2 }, { min: 1, max: 2, decimals: 9 }, { min: "1", max: 2 }, { min: 1, max: 2, x: 1 }],
  ...[{ operation_ids: ["{operation_id}"], note: null }, '{ "operation_ids": ["{operation_id}"] }'],
  ...[{ operation_ids: ["{id}"] }, { currency_pair: "USDBRL", note: 1 }],
];

/** What a schema cannot express: relations between parts of a value. */
const beyondSchema = "baseUrl currencyPairs otherPurposes reports only exclude batchMembers".split(" ");

test.each(optionNames)("the schema and the table agree about %s", (name) => {
  for (const value of values) {
    const byTable = accepts(() => optionOf(name).kind.ofFile(value));
    const bySchema = check({ [name]: value });
    if (byTable) expect(bySchema, `${name}: ${JSON.stringify(value)}`).toBe(true);
    else if (!beyondSchema.includes(name) && typeof value !== "string")
      expect(bySchema, `${name}: ${JSON.stringify(value)}`).toBe(false);
  }
});

test("letter case is free where the reader takes any", () => {
  for (const value of [{ profile: "Smoke" }, { profile: " FULL" }, { reports: ["JSON", "jUnit"] }, { timeout: "1S" }]) {
    expect(check(value), JSON.stringify(value)).toBe(true);
  }
  for (const value of [{ profile: "smokes" }, { profile: ["smoke"] }, { reports: ["JSON "] }, { reports: ["pdf"] }]) {
    const [name, given] = Object.entries(value)[0] ?? expect.fail("no value");
    expect(check(value), JSON.stringify(value)).toBe(accepts(() => options[name as "profile"].kind.ofFile(given)));
  }
});

test("a value reads back from its text", () => {
  for (const name of optionNames) {
    const { kind, fallback, example } = optionOf(name);
    const value = fallback ?? example;
    if (value === undefined) throw new Error(`${name} needs a default or an example`);
    expect(kind.ofText(kind.toText(value)), name).toEqual(value);
    expect(kind.ofFile((kind.toFile ?? kind.toText)(value)), name).toEqual(value);
  }
});

function accepts(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof Misfit) return false;
    throw error;
  }
}

import { readdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createGenerators, sampleOf } from "./index.ts";
import { valueAt } from "./pointer.ts";
import { requestSchemaOf } from "./request-schema.ts";
import { validatorsOf } from "./testing/schemas.ts";
import { contract, domain, withBody } from "./testing/contract.ts";
import { textAt } from "./testing/text-at.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const modules = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.startsWith("testing"),
);

test.each(modules)("%s can be loaded by itself", async (name) => {
  await expect(import(pathToFileURL(join(folder, name)).href)).resolves.toBeDefined();
});

test("each body can be generated, complete or not, and is valid", () => {
  const generators = createGenerators(contract, domain);
  for (const operation of withBody) {
    const validate = validatorsOf(contract)(requestSchemaOf(contract, operation));
    for (const arbitrary of [generators.valid(operation), generators.complete(operation)])
      expect(sampleOf(arbitrary, { seed: 1, n: 60 }).filter((body) => !validate(body))).toEqual([]);
  }
  const coherent = sampleOf(generators.complete("createCounterparty"), { seed: 1, n: 60 });
  for (const body of coherent) {
    const country = textAt(body, "/bank_account/bank_country");
    expect(textAt(body, "/bank_account/swift_code").slice(4, 6)).toBe(country);
    if (valueAt(body, "/bank_account/iban") !== undefined)
      expect(textAt(body, "/bank_account/iban").slice(0, 2)).toBe(country);
  }
  const places = coherent.map((body) => textAt(body, "/bank_account/bank_country"));
  expect(new Set(places).size).toBeGreaterThan(10);
  const left = sampleOf(generators.valid("createCounterparty"), { seed: 1, n: 60 });
  expect(left.some((body) => valueAt(body, "/bank_account/iban") === undefined)).toBe(true);
});

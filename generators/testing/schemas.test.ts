import { describe, expect, test } from "vitest";
import type { ContractContent, Json, JsonObject, Schema } from "../../spec/contract.ts";
import { validatorsOf } from "./schemas.ts";
import { contract } from "./contract.ts";

/** Made by the first test that needs it. */
let made: ReturnType<typeof validatorsOf> | undefined;
const validatorOf = (pointer: string) => (made ??= validatorsOf(contract))(pointer);

test.each(Object.keys(contract.components.schemas))("Ajv compiles %s in strict mode", (name) => {
  expect(() => validatorOf(`#/components/schemas/${name}`)).not.toThrow();
});

/** Every body of the contract with its examples. */
const bodies = Object.values(contract.paths).flatMap((item) =>
  Object.values(item).flatMap(({ operationId, requestBody, responses }) =>
    [["request", requestBody] as const, ...Object.entries(responses)].flatMap(([place, body]) => {
      const { schema, examples }: NonNullable<ContractContent["content"]>[string] =
        body?.content?.["application/json"] ?? {};
      return schema ? [{ title: `${operationId} ${place}`, schema, examples: Object.values(examples ?? {}) }] : [];
    }),
  ),
);

describe.each(bodies)("$title", ({ schema, examples }) => {
  test("has examples, all of them valid", () => {
    const validate = validatorOf(referenceOf(schema));
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      validate((example as JsonObject).value);
      expect(validate.errors ?? []).toEqual([]);
    }
  });
});

describe("responses are bound by what is stated", () => {
  const bank = { bank_name: "", swift_code: "?", bank_country: "?" };
  const batch = (operation: Json): Json => ({ batches: [{ operations: [{}, operation] }] });
  const table: readonly (readonly [schema: string, valid: boolean, body: Json])[] = [
    ["Operation", true, {}],
    ["Operation", true, { intermediary_bank: null, batch_id: null, more: 1 }],
    ["Operation", true, { intermediary_bank: { ...bank, more: [] } }],
    ["Operation", false, { intermediary_bank: {} }],
    ["Operation", false, { status: null }],
    ["Operation", false, { created_at: "2025-01-01 00:00:00Z" }],
    ["Operation", false, { foreign_currency_amount: "1" }],
    ["Operation", false, { bank_account: null }],
    ["Operation", false, { bank_account: bank }],
    ["Operation", true, { bank_account: { ...bank, account_number: "" } }],
    ["Operation", false, []],
    ["Counterparty", false, { intermediary_bank: null }],
    ["Counterparty", false, { counterparty_address: { city: 1 } }],
    ["Batch", true, { operation_count: 2.0 }],
    ["Batch", true, { operation_count: -1 }],
    ["Batch", false, { operation_count: 2.5 }],
    ["Batch", false, { operation_count: "2" }],
    ["BatchList", true, batch({ intermediary_bank: bank })],
    ["BatchList", false, batch({ intermediary_bank: null })],
    ["BatchList", false, batch({ batch_id: null })],
    ["BatchList", false, batch(null)],
    ["Error", true, { message: "", code: 1 }],
    ["Error", false, {}],
    ["Error", false, { message: null }],
  ];
  test.each(table)("%s: %j %j", (name, valid, body) => {
    expect(validatorOf(`#/components/schemas/${name}`)(body)).toBe(valid);
  });
});

test("a schema that is not there is an error", () => {
  expect(() => validatorOf("#/components/schemas/Colour")).toThrow("#/components/schemas/Colour: has no schema");
});

test("all violations are collected, not the first alone", () => {
  const validate = validatorOf("#/components/schemas/Operation");
  validate({ status: null, created_at: 1, bank_account: null });
  expect(new Set(validate.errors?.map(({ instancePath }) => instancePath))).toEqual(
    new Set(["/status", "/created_at", "/bank_account"]),
  );
});

test("inherited members do not count", () => {
  const heir = Object.create({ message: "inherited" }) as object;
  expect(validatorOf("#/components/schemas/Error")(heir)).toBe(false);
});

test("types may be listed, numbers may be doubles, formats apply to their own type alone", () => {
  const validate = validatorsOf({
    ...contract,
    components: {
      schemas: {
        union: { type: ["string", "number"] },
        double: { type: "number", format: "double" },
        either: { type: ["string", "number"], format: "bic" },
      },
    },
  });
  expect(validate("#/components/schemas/union")("x")).toBe(true);
  expect(validate("#/components/schemas/double")(0.5)).toBe(true);
  expect(validate("#/components/schemas/either")(5)).toBe(true);
  expect(validate("#/components/schemas/either")("5")).toBe(false);
});

test("Ajv knows no other words", () => {
  const odd = (schema: Schema) =>
    validatorsOf({ ...contract, components: { schemas: { odd: schema } } })("#/components/schemas/odd");
  expect(() => odd({ type: "string", format: "colour" })).toThrow('unknown format "colour"');
  expect(() => odd({ type: "string", maxLenght: 1 })).toThrow('unknown keyword: "maxLenght"');
});

function referenceOf(schema: Schema): string {
  if (typeof schema.$ref !== "string") throw new Error("a body of the contract is described by reference");
  return schema.$ref;
}

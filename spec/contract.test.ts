import SwaggerParser from "@apidevtools/swagger-parser";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { contractPath, type ContractDocument, type Schema } from "./contract.ts";
import { operationNames, operations } from "./operations.ts";
import { isQuestionId, questionIds } from "./questions.ts";

const path = fileURLToPath(contractPath);
const contract = (await SwaggerParser.bundle(path)) as unknown as ContractDocument;
const schemaOf = (name: string): Schema => contract.components.schemas[name] ?? {};

const bank = { bank_name: "string", swift_code: "string", bank_country: "string" };
const account = { ...bank, account_number: "string", iban: "string", aba_routing_number: "string" };
const address = { address: "string", country: "string", city: "string", zip_code: "string", state: "string" };

/** The fields of the specification, section "Resources and their fields" and "Endpoints", with their types. */
const fields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Operation: {
    operation_id: "string",
    operation_purpose: "string",
    foreign_currency_amount: "number double",
    currency_pair: "string",
    status: "string",
    customer_id: "string",
    counterparty_id: "string",
    bank_account: "BankAccount",
    intermediary_bank: "Bank or null",
    batch_id: "string or null",
    created_at: "string date-time",
  },
  BankAccount: account,
  Bank: bank,
  CounterpartyAddress: address,
  Counterparty: {
    id: "string",
    name: "string",
    counterparty_address: "CounterpartyAddress",
    bank_account: "BankAccount",
    intermediary_bank: "Bank",
    external_id: "string",
  },
  Batch: {
    id: "string",
    created_at: "string date-time",
    currency_pair: "string",
    status: "string",
    operation_count: "integer",
    operations: "BatchOperation[]",
  },
  BatchOperation: {
    operation_id: "string",
    foreign_currency_amount: "number double",
    currency_pair: "string",
    status: "string",
    customer_id: "string",
    bank_account: "BankAccount",
    created_at: "string date-time",
    counterparty_id: "string",
    intermediary_bank: "Bank",
    batch_id: "string",
  },
  BatchList: { batches: "Batch[]", count: "integer", total: "integer" },
  Error: { message: "string" },
  Token: { token: "string" },
  AcamResult: { message: "string", status: "string" },
  BankRequest: { ...bank, swift_code: "string bic", bank_country: "string country" },
  BankAccountRequest: {
    ...account,
    swift_code: "string bic",
    bank_country: "string country",
    account_number: "string account-number",
    iban: "string iban",
    aba_routing_number: "string aba-routing-number",
  },
  CounterpartyAddressRequest: { ...address, country: "string country" },
  CounterpartyRequest: {
    name: "string",
    counterparty_address: "CounterpartyAddressRequest",
    bank_account: "BankAccountRequest",
    intermediary_bank: "BankRequest",
    external_id: "string",
  },
  OperationRequest: {
    currency_amount: "number double",
    operation_purpose: "string",
    currency_pair: "string currency-pair",
    counterparty_id: "string",
  },
  AcamItemRequest: { local_currency_amount: "number double", tax_id: "string cpf-cnpj", merchant: "string" },
  BatchRequest: { currency_pair: "string currency-pair" },
};

/** The required members by schema. Schemas that are not named here require none. */
const required: Readonly<Record<string, readonly string[]>> = {
  BankAccount: ["bank_name", "swift_code", "bank_country", "account_number"],
  BankAccountRequest: ["bank_name", "swift_code", "bank_country", "account_number"],
  Bank: ["bank_name", "swift_code", "bank_country"],
  BankRequest: ["bank_name", "swift_code", "bank_country"],
  Error: ["message"],
  OperationRequest: ["currency_amount", "operation_purpose", "currency_pair", "counterparty_id"],
};

/** By operation: the request body, and the body for each status. */
const endpoints: Readonly<Record<(typeof operationNames)[number], readonly [string | undefined, object]>> = {
  createToken: [undefined, { "2XX": "Token", "4XX": "Error" }],
  createCounterparty: ["CounterpartyRequest", { "2XX": "Counterparty", "4XX": "Error" }],
  createOperation: ["OperationRequest", { "200": "Operation", "400": "Error", "401": "Error" }],
  addAcamItem: ["AcamItemRequest", { "2XX": "AcamResult", "4XX": "Error" }],
  createBatch: ["BatchRequest", { "2XX": "Batch", "4XX": "Error" }],
  listBatches: [undefined, { "2XX": "BatchList", "4XX": "Error" }],
};

/** A schema in a few words: `string date-time`, `Bank or null`, `Batch[]`. */
function inWords(schema: Schema): string {
  if (typeof schema.$ref === "string") return schema.$ref.replace("#/components/schemas/", "");
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((one: Schema) => inWords(one)).join(" or ");
  if (schema.type === "array") return `${inWords(schema.items as Schema)}[]`;
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]) as readonly string[];
  return types.join(" or ") + (typeof schema.format === "string" ? ` ${schema.format}` : "");
}

test("is valid OpenAPI 3.1", async () => {
  await expect(SwaggerParser.validate(path)).resolves.toMatchObject({ openapi: "3.1.0" });
});

test("bundles to plain JSON whose references point into the document", () => {
  const references = JSON.stringify(contract).match(/"\$ref":"[^"]*"/g) ?? [];
  expect(references.length).toBeGreaterThan(20);
  expect(references.filter((reference) => !reference.startsWith('"$ref":"#/components/schemas/'))).toEqual([]);
  expect(JSON.parse(JSON.stringify(contract))).toEqual(contract);
});

test("has the schemas of the specification and no others", () => {
  expect(Object.keys(contract.components.schemas).toSorted()).toEqual(Object.keys(fields).toSorted());
});

describe.each(Object.entries(fields))("%s", (name, members) => {
  const properties = (schemaOf(name).properties ?? {}) as Readonly<Record<string, Schema>>;

  test("has its fields with their types", () => {
    expect(Object.fromEntries(Object.entries(properties).map(([field, one]) => [field, inWords(one)]))).toEqual(
      members,
    );
  });
  test("requires what is stated to be required", () =>
    expect(schemaOf(name).required ?? []).toEqual(required[name] ?? []));
  test("allows additional members", () => expect(JSON.stringify(schemaOf(name))).not.toContain("additionalProperties"));
});

test("has the six operations and no others", () => {
  const found = Object.entries(contract.paths).flatMap(([at, item]) =>
    Object.entries(item).map(([method, { operationId }]) => [operationId, { method: method.toUpperCase(), path: at }]),
  );
  const stated = operationNames.map((name) => [name, { method: operations[name].method, path: operations[name].path }]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(stated));
});

describe.each(operationNames)("%s", (name) => {
  const { method, path: at } = operations[name];
  const operation = contract.paths[at]?.[method === "GET" ? "get" : "post"];
  const bodyOf = (content: { content?: Readonly<Record<string, { schema?: Schema }>> } | undefined) =>
    content?.content?.["application/json"]?.schema;
  const [request, responses] = endpoints[name];

  test("takes the request body of the specification", () => {
    const schema = bodyOf(operation?.requestBody);
    expect(schema && inWords(schema)).toBe(request);
  });

  test("has the responses of the specification", () => {
    const given = Object.entries(operation?.responses ?? {}).map(([status, one]) => [
      status,
      inWords(bodyOf(one) ?? {}),
    ]);
    expect(Object.fromEntries(given)).toEqual(responses);
  });

  test("takes an API key at the token endpoint, a token elsewhere", () => {
    const security = (operation as unknown as { security?: unknown }).security;
    expect(security).toEqual(name === "createToken" ? [{ apiKey: [] }] : undefined);
  });
});

test("marks every open question, and only open questions that exist", () => {
  const named = JSON.stringify(contract).match(/"x-fxconform-question":(\[[^\]]*\]|"[^"]*")/g) ?? [];
  const ids = new Set(named.flatMap((mark) => mark.match(/OPEN-\d+/g) ?? []));
  expect([...ids].filter((id) => !isQuestionId(id))).toEqual([]);
  expect(questionIds.filter((id) => !ids.has(id))).toEqual([]);
});

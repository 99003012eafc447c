import { expect, test } from "vitest";
import type { ContractDocument } from "../spec/contract.ts";
import { GeneratorError, schemaAt, requestSchemaOf } from "./pointer.ts";
import { contract, withBody } from "./testing/contract.ts";

test.each(withBody)("the schema of %s is where the pointer says", (operation) => {
  expect(schemaAt(contract, requestSchemaOf(contract, operation))).toBeDefined();
});

test("the error for an operation without a body names the operation and its pointer", () => {
  expect(() => requestSchemaOf(contract, "listBatches")).toThrow("/get: listBatches takes no JSON body");
});

test.each([
  {},
  { "/corporate/operation": {} },
  { "/corporate/operation": { post: {} } },
  { "/corporate/operation": { post: { requestBody: {} } } },
  { "/corporate/operation": { post: { requestBody: { content: {} } } } },
  { "/corporate/operation": { post: { requestBody: { content: { "application/json": {} } } } } },
  { "/corporate/operation": { post: { requestBody: { content: { "text/plain": { schema: {} } } } } } },
])("a document with the paths %j has no body for an operation", (paths) => {
  const document = { ...contract, paths } as unknown as ContractDocument;
  expect(() => requestSchemaOf(document, "createOperation")).toThrow(GeneratorError);
});

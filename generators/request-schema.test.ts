import { expect, test } from "vitest";
import { schemaAt, requestSchemaOf } from "./pointer.ts";
import { contract, withBody } from "./testing/contract.ts";

test.each(withBody)("the schema of %s is where the pointer says", (operation) => {
  expect(schemaAt(contract, requestSchemaOf(contract, operation))).toBeDefined();
});

test("the error for an operation without a body names the operation and its pointer", () => {
  expect(() => requestSchemaOf(contract, "listBatches")).toThrow("/get: listBatches takes no JSON body");
});

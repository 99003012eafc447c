import { describe, expect, test } from "vitest";
import { operationNames } from "../spec/operations.ts";
import { operationsOf, standingOperations } from "./scenario.ts";

describe("the operations whose traffic judges a requirement", () => {
  test.each([
    ["HTTP-05", operationNames],
    ["HTTP-04", operationNames],
    ["AUTH-04", operationNames.filter((name) => name !== "createToken")],
    ["AUTH-12", ["createToken"]],
    ["BATCH-34", ["createBatch", "listBatches"]],
    ["BATCH-06", ["listBatches", "createBatch"]],
    ["OPER-20", []],
    ["AUTH-20", []],
  ] as const)("%s", (id, operations) => {
    expect([...new Set(standingOperations(id))]).toEqual(operations);
  });
});

describe("the operations that a requirement speaks of", () => {
  test.each([
    ["HTTP-04", operationNames],
    ["HTTP-07", []],
    ["AUTH-05", ["createToken"]],
    ["AUTH-20", ["createToken"]],
    ["CPTY-11", ["createCounterparty"]],
    ["OPER-20", ["createOperation"]],
    ["ACAM-03", ["addAcamItem"]],
    ["BATCH-07", ["createBatch", "listBatches"]],
    ["BATCH-28", ["listBatches"]],
  ] as const)("%s", (id, operations) => {
    expect([...new Set(operationsOf(id))]).toEqual(operations);
  });
});

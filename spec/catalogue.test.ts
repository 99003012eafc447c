import { describe, expect, test } from "vitest";
import {
  catalogue,
  isRequirementId,
  judgedInSmoke,
  neededOperations,
  needsCustomer,
  requirementIds,
  requirementsIn,
  standingOperations,
} from "./catalogue.ts";
import { operationNames } from "./operations.ts";
import { areas } from "./requirement.ts";

test("ids are in the order of the areas and rise within each", () => {
  expect(areas.flatMap(requirementsIn)).toEqual(requirementIds);
  for (const area of areas) expect(requirementsIn(area).toSorted()).toEqual(requirementsIn(area));
  expect(isRequirementId("AUTH-01")).toBe(true);
  expect(isRequirementId("toString")).toBe(false);
});

test("statements are distinct", () => {
  expect(new Set(requirementIds.map((id) => catalogue[id].statement)).size).toBe(requirementIds.length);
});

test("every requirement names the version that it came with", () => {
  for (const id of requirementIds) expect(catalogue[id].since).toMatch(/^\d+\.\d+\.\d+$/);
});

test("what profile smoke judges", () => {
  expect(requirementIds.filter(judgedInSmoke)).toEqual([
    ...["AUTH-01", "AUTH-02", "AUTH-03", "AUTH-04", "AUTH-05", "AUTH-06", "AUTH-07", "AUTH-08", "AUTH-09", "AUTH-10"],
    ...["AUTH-11", "AUTH-12", "AUTH-36", "AUTH-37", "AUTH-38", "AUTH-39", "AUTH-40"],
    ...["BATCH-06", "BATCH-09", "BATCH-20", "BATCH-21", "BATCH-22", "BATCH-23", "BATCH-25", "BATCH-26", "BATCH-28"],
    ...["BATCH-30", "BATCH-31", "BATCH-32", "BATCH-33", "BATCH-34", "BATCH-35"],
    ...["HTTP-01", "HTTP-02", "HTTP-03", "HTTP-04", "HTTP-05", "HTTP-06", "HTTP-07"],
  ]);
});

test("what can be judged without a customer", () => {
  expect(requirementIds.filter((id) => !needsCustomer(id))).toEqual([
    ...["AUTH-01", "AUTH-02", "AUTH-03", "AUTH-05", "AUTH-06", "AUTH-07", "AUTH-08", "AUTH-09", "AUTH-10", "AUTH-11"],
    ...["AUTH-12", "AUTH-32", "AUTH-33", "AUTH-34", "AUTH-35", "AUTH-36", "AUTH-37", "AUTH-38", "AUTH-39", "AUTH-40"],
    ...["BATCH-01", "BATCH-02", "BATCH-03", "BATCH-04", "BATCH-05", "BATCH-06", "BATCH-07", "BATCH-08", "BATCH-09"],
    ...["BATCH-20", "BATCH-21", "BATCH-22", "BATCH-23", "BATCH-24", "BATCH-25", "BATCH-26", "BATCH-27", "BATCH-28"],
    "HTTP-07",
  ]);
});

test("what one repeated request cannot show", () => {
  expect(requirementIds.filter((id) => !catalogue[id].repeatable)).toEqual([
    ...["AUTH-04", "CPTY-10", "CPTY-11", "OPER-15", "OPER-16", "ACAM-05"],
    ...["BATCH-06", "BATCH-07", "BATCH-24", "BATCH-27", "HTTP-05", "HTTP-07"],
  ]);
});

describe("the operations whose exchanges show a requirement", () => {
  test.each([
    ["HTTP-05", operationNames],
    ["HTTP-04", operationNames],
    ["AUTH-04", operationNames.filter((name) => name !== "createToken")],
    ["AUTH-12", ["createToken"]],
    ["BATCH-34", ["createBatch", "listBatches"]],
    ["OPER-20", []],
    ["AUTH-20", []],
  ] as const)("%s", (id, operations) => {
    expect(standingOperations(id)).toEqual(operations);
  });
});

describe("the operations that must be sent to judge a requirement", () => {
  test.each([
    ["AUTH-05", ["createToken"]],
    ["AUTH-20", ["createCounterparty", "createOperation"]],
    ["AUTH-32", ["createBatch"]],
    ["CPTY-11", ["createCounterparty"]],
    ["ACAM-03", ["createCounterparty", "createOperation", "addAcamItem"]],
    ["BATCH-24", ["createBatch", "listBatches"]],
    ["BATCH-34", ["createCounterparty", "createOperation", "createBatch", "listBatches"]],
    ["BATCH-28", ["listBatches"]],
    ["HTTP-07", []],
  ] as const)("%s", (id, operations) => {
    expect(neededOperations(id)).toEqual(operations);
  });
});

import { describe, expect, test } from "vitest";
import {
  isRequirementId,
  judgedInSmoke,
  requirementIds,
  requirementsIn,
  standingOperations,
} from "./catalogue.ts";
import { operationNames, takesToken } from "./operations.ts";
import { areas } from "./requirement.ts";

test("ids are in the order of the areas and rise within each", () => {
  expect(areas.flatMap(requirementsIn)).toEqual(requirementIds);
  for (const area of areas) expect(requirementsIn(area).toSorted()).toEqual(requirementsIn(area));
  expect(isRequirementId("AUTH-01")).toBe(true);
  expect(isRequirementId("toString")).toBe(false);
});

test.each([
  [
    true,
    ["AUTH-01", "AUTH-04", "AUTH-36", "BATCH-06", "BATCH-20", "BATCH-34", "HTTP-05", "HTTP-07"],
  ],
  [
    false,
    ["AUTH-20", "AUTH-32", "CPTY-01", "OPER-20", "ACAM-03", "BATCH-01", "BATCH-07", "BATCH-24"],
  ],
] as const)("judged in profile smoke: %s for %j", (wanted, ids) => {
  expect(ids.filter((id) => judgedInSmoke(id) !== wanted)).toEqual([]);
});

describe("the operations whose exchanges show a requirement", () => {
  test.each([
    ["HTTP-05", operationNames],
    ["HTTP-04", operationNames],
    ["AUTH-04", operationNames.filter(takesToken)],
    ["AUTH-12", ["createToken"]],
    ["BATCH-34", ["createBatch", "listBatches"]],
    ["OPER-20", []],
    ["AUTH-20", []],
  ] as const)("%s", (id, operations) => {
    expect(standingOperations(id)).toEqual(operations);
  });
});

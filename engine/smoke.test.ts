import { expect, test } from "vitest";
import { standingOperations } from "../harness/scenario.ts";
import { isRequirementId, requirementIds } from "../spec/catalogue.ts";
import { inSmoke } from "./smoke.ts";

test("smoke judges whatever the traffic of its two operations shows, and what wrong keys and tokens show there", () => {
  const seen = requirementIds.filter((id) =>
    standingOperations(id).some((operation) => operation === "createToken" || operation === "listBatches"),
  );
  expect(seen.filter((id) => !inSmoke(id))).toEqual([]);
  expect(requirementIds.filter((id) => inSmoke(id) && !seen.includes(id))).toEqual([
    ...["AUTH-02", "AUTH-03", "AUTH-05", "AUTH-06", "AUTH-07", "AUTH-08", "AUTH-09", "AUTH-10", "AUTH-11"],
    ...["AUTH-36", "AUTH-37", "AUTH-38", "AUTH-39", "AUTH-40", "HTTP-07"],
  ]);
});

test("what needs something to be created is out of its reach", () => {
  const created = ["OPER-01", "CPTY-01", "ACAM-01", "BATCH-01", "BATCH-24", "AUTH-20"];
  expect(created.filter((id) => isRequirementId(id) && inSmoke(id))).toEqual([]);
});

import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";

/** The requirement that a valid request succeeds. */
export const successOf = {
  createToken: "AUTH-01",
  createCounterparty: "CPTY-01",
  createOperation: "OPER-01",
  addAcamItem: "ACAM-01",
  createBatch: "BATCH-01",
  listBatches: "BATCH-20",
} as const satisfies Record<OperationName, RequirementId>;

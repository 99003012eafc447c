import type { RequirementId } from "./catalogue.ts";
import type { OperationName } from "./operations.ts";
import type { QuestionId } from "./questions.ts";

/** The kinds of resources to which the server gives an id. */
export type ResourceKind = "counterparty" | "operation" | "batch";

/** What the catalogue and the open questions say of an operation as a whole. */
export interface EndpointFacts {
  /** The requirement that a valid request succeeds. */
  readonly success: RequirementId;
  /** The requirement on the body of an error (INT-12). */
  readonly errorShape: RequirementId;
  /**
   * Present if a success creates something with an id: the member that holds the id, and the
   * requirement that ids differ (INT-21).
   */
  readonly creates?: {
    readonly kind: ResourceKind;
    readonly member: "id" | "operation_id";
    readonly requirement: RequirementId;
  };
  /** The open question about the status of a success. Absent if there is none. */
  readonly successQuestion?: QuestionId;
  /** The open question about the status of a refusal. Absent if there is none. */
  readonly refusalQuestion?: QuestionId;
}

/** One row for each operation. `operations.ts` has the method, the path and the predecessor. */
const rows = {
  createToken: { success: "AUTH-01", errorShape: "AUTH-12", refusalQuestion: "OPEN-07" },
  createCounterparty: {
    success: "CPTY-01",
    errorShape: "CPTY-12",
    creates: { kind: "counterparty", member: "id", requirement: "CPTY-10" },
    successQuestion: "OPEN-08",
    refusalQuestion: "OPEN-09",
  },
  createOperation: {
    success: "OPER-01",
    errorShape: "OPER-17",
    creates: { kind: "operation", member: "operation_id", requirement: "OPER-15" },
  },
  addAcamItem: {
    success: "ACAM-01",
    errorShape: "ACAM-06",
    successQuestion: "OPEN-10",
    refusalQuestion: "OPEN-11",
  },
  createBatch: {
    success: "BATCH-01",
    errorShape: "BATCH-08",
    creates: { kind: "batch", member: "id", requirement: "BATCH-06" },
    successQuestion: "OPEN-12",
    refusalQuestion: "OPEN-13",
  },
  listBatches: { success: "BATCH-20", errorShape: "BATCH-28", successQuestion: "OPEN-15" },
} as const satisfies Readonly<Record<OperationName, EndpointFacts>>;

export const endpoints: Readonly<Record<OperationName, EndpointFacts>> = rows;

/** For each operation whose success creates something with an id: what it creates. */
export const creations = {
  createCounterparty: rows.createCounterparty.creates,
  createOperation: rows.createOperation.creates,
  createBatch: rows.createBatch.creates,
} as const;

import { requirementOf, type Area, type RequirementId } from "../spec/catalogue.ts";
import { operationNames, type OperationName } from "../spec/operations.ts";
import { checks } from "./judging/checks/index.ts";

/** The requirements that the standing checks judge, and on which operations. */
const standing: ReadonlyMap<RequirementId, readonly OperationName[]> = checks
  .flatMap(({ judges }) => judges)
  .reduce(
    (all, { requirement, operations }) => all.set(requirement, [...(all.get(requirement) ?? []), ...operations]),
    new Map<RequirementId, readonly OperationName[]>([
      ["HTTP-05", operationNames],
      ["AUTH-04", operationNames.filter((name) => name !== "createToken")],
    ]),
  );

/** The operations whose traffic judges a requirement, whichever scenario sends it. */
export const standingOperations = (requirement: RequirementId): readonly OperationName[] =>
  standing.get(requirement) ?? [];

/** What the requirements of an area speak of where the standing checks do not say. */
const operationsOfArea: Readonly<Record<Area, readonly OperationName[]>> = {
  auth: ["createToken"],
  counterparty: ["createCounterparty"],
  operation: ["createOperation"],
  acam: ["addAcamItem"],
  batches: ["createBatch", "listBatches"],
  transport: [],
};

/** The operations that a requirement speaks of: without one success of each, a run has not tested it. */
export const operationsOf = (requirement: RequirementId): readonly OperationName[] =>
  standing.get(requirement) ?? operationsOfArea[requirementOf(requirement).area];

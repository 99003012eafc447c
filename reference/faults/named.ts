import { batchOperation, type Json } from "../change.ts";
import type { Call } from "../policy.ts";
import { byMember, lostInList, whenNamed, withPurpose } from "./batches.ts";
import { at, atOnce, faultsAnywhere, forSomeValues, inState, type Fault } from "./fault.ts";

const { fault: batched } = faultsAnywhere("batched-");

function hasItem(operation: Json, { store }: Call): boolean {
  return (store.operations.get(String(operation["operation_id"]))?.items ?? 0) > 0;
}

function showsPurposeOfUsed(operation: Json, call: Call): Json {
  return hasItem(operation, call) ? withPurpose(operation) : operation;
}

/** Faults of batches that show only if an operation was added by its id, or if it has an item. */
export const namedFaults: readonly Fault[] = [
  batched(
    "intermediary-null-when-named",
    ["BATCH-33", "BATCH-23", "BATCH-30"],
    "An operation that was added by its id has null for a missing intermediary bank.",
    whenNamed((operation) => ({
      ...operation,
      intermediary_bank: operation["intermediary_bank"] ?? null,
    })),
    { ...byMember, ...forSomeValues },
  ),
  batched(
    "purpose-after-item",
    "BATCH-34",
    "An operation in a batch shows its purpose if it has an item.",
    batchOperation(showsPurposeOfUsed),
    inState,
  ),
  batched(
    "purpose-after-item-when-named",
    "BATCH-34",
    "An operation that was added by its id shows its purpose if it has an item.",
    whenNamed(showsPurposeOfUsed),
    { ...byMember, ...inState },
  ),
  at.listBatches.fault(
    "created-together-lost-when-named",
    "BATCH-24",
    "Of concurrent batches with operations of their own, only the last one is listed.",
    lostInList,
    { ...byMember, ...atOnce },
  ),
];

import type { OperationName } from "../spec/operations.ts";

/** What the user can check where a target refuses valid requests. */
export const hintOn: Readonly<Record<OperationName, string>> = {
  createToken: "Check the API key (--api-key).",
  createCounterparty:
    "Check --customer-id, and whether this server accepts the counterparties that the suite makes up.",
  createOperation: "Check --currency-pairs, --amount and whether the purpose EFX is open to this client.",
  addAcamItem: "Check whether this client may add ACAM items to operations with the purpose EFX.",
  createBatch: "Check --currency-pairs, and whether this client may create batches.",
  listBatches: "Check whether this client may list batches.",
};

import { batchOperation, changed, without } from "../change.ts";
import type { Json } from "../change.ts";
import type { Change } from "../policy.ts";
import type { Fault } from "./fault.ts";
import { lastOfHundreds } from "./last-of-hundreds.ts";
import { rowsOf } from "./row.ts";
import { times } from "./time.ts";

const time = (change: (time: string) => unknown) => (value: unknown) => change(String(value));

const inBatch = rowsOf(undefined, "batched");
const operation = (change: (operation: Json, batch: Json) => Json): Change => batchOperation(change);
const member = (name: string, change: (value: unknown) => unknown): Change =>
  operation((it) => changed(it, name, change));
const account = (change: (account: Json) => unknown): Change => member("bank_account", (it) => change(it as Json));
const absentBank = (bank: unknown): Change =>
  operation((it) => ({ ...it, intermediary_bank: it["intermediary_bank"] ?? bank }));
const types = { also: ["BATCH-23", "BATCH-30"] } as const;

/** Faults of the operations inside a batch, wherever a batch is shown. */
export const batchedFaults: readonly Fault[] = [
  inBatch(
    "id-number",
    "BATCH-30",
    "The id of an operation is a number.",
    member("operation_id", () => 3),
  ),
  inBatch(
    "amount-string",
    "BATCH-30",
    "The amount of an operation is a string.",
    member("foreign_currency_amount", String),
  ),
  inBatch(
    "customer-null",
    "BATCH-30",
    "The customer of an operation is null.",
    member("customer_id", () => null),
  ),
  inBatch(
    "counterparty-object",
    "BATCH-30",
    "The counterparty of an operation is an object.",
    member("counterparty_id", (id) => ({ id })),
  ),
  inBatch(
    "status-null",
    "BATCH-30",
    "The status of an operation is null.",
    member("status", () => null),
  ),
  inBatch(
    "pair-null-at-last",
    "BATCH-30",
    "The pair of an operation in the last of hundreds of batches is null.",
    lastOfHundreds((batch) => ({
      ...batch,
      operations: (batch["operations"] as readonly Json[]).map((one) => ({ ...one, currency_pair: null })),
    })),
  ),
  inBatch(
    "time-space",
    "BATCH-31",
    "The time of an operation has a space for the T.",
    member("created_at", time(times.space)),
  ),
  inBatch(
    "time-epoch",
    "BATCH-31",
    "The time of an operation is a number.",
    member("created_at", time(times.epoch)),
    types,
  ),
  inBatch(
    "time-without-zone",
    "BATCH-31",
    "The time of an operation has no zone.",
    member("created_at", time(times.noZone)),
  ),
  inBatch(
    "account-incomplete",
    "BATCH-32",
    "The account of an operation has no BIC.",
    account((it) => without(it, "swift_code")),
  ),
  inBatch(
    "account-number",
    "BATCH-32",
    "The account number of an operation is a number.",
    account((it) => ({ ...it, account_number: 1 })),
    types,
  ),
  inBatch(
    "account-iban-null",
    "BATCH-32",
    "The IBAN of an operation is null where there is none.",
    account((it) => ({ iban: null, ...it })),
    types,
  ),
  inBatch(
    "account-null",
    "BATCH-32",
    "The account of an operation is null.",
    member("bank_account", () => null),
    types,
  ),
  inBatch(
    "intermediary-null",
    "BATCH-33",
    "The intermediary bank of an operation is null where there is none.",
    absentBank(null),
    types,
  ),
  inBatch(
    "intermediary-empty",
    "BATCH-33",
    "The intermediary bank of an operation is {} where there is none.",
    absentBank({}),
  ),
  inBatch(
    "intermediary-incomplete",
    "BATCH-33",
    "The intermediary bank of an operation has no name.",
    operation((it) =>
      it["intermediary_bank"]
        ? { ...it, intermediary_bank: without(it["intermediary_bank"] as Json, "bank_name") }
        : it,
    ),
  ),
  inBatch(
    "purpose",
    "BATCH-34",
    "The purpose of an operation is shown.",
    operation((it) => ({ ...it, operation_purpose: "EFX" })),
  ),
  inBatch(
    "purpose-null",
    "BATCH-34",
    "The purpose of an operation is shown as null.",
    operation((it) => ({ ...it, operation_purpose: null })),
  ),
  inBatch(
    "purpose-at-last",
    "BATCH-34",
    "The purpose of an operation is shown in the last of hundreds of batches.",
    lastOfHundreds((batch) => ({
      ...batch,
      operations: (batch["operations"] as readonly Json[]).map((one) => ({ ...one, operation_purpose: "EFX" })),
    })),
  ),
  inBatch(
    "batch-other",
    "BATCH-35",
    "An operation names another batch than the one around it.",
    operation((it) => ({ ...it, batch_id: `x${String(it["batch_id"])}` })),
  ),
  inBatch(
    "batch-null",
    "BATCH-30",
    "An operation names no batch.",
    operation((it) => ({ ...it, batch_id: null })),
    { also: ["BATCH-35"] },
  ),
  inBatch(
    "batch-of-operation",
    "BATCH-35",
    "An operation names itself for its batch.",
    operation((it) => ({ ...it, batch_id: it["operation_id"] })),
  ),
];

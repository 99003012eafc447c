import {
  all,
  answers,
  batchOperation,
  editOperations,
  listedBatch,
  remembering,
  sent,
  success,
  withOldBatches,
} from "../change.ts";
import { edit, fill, omit, rename, set } from "../edits.ts";
import type { Edit, Json } from "../edits.ts";
import type { Change } from "../policy.ts";
import type { Batch } from "../store.ts";
import { crossedAnswers, sharedIds } from "./concurrent-creation.ts";
import { shapes } from "./error-shapes.ts";
import { rowsAnywhere, rowsOf } from "./fault.ts";
import type { Fault } from "./fault.ts";
import { sameId } from "../ids.ts";
import { times } from "./times.ts";

const batch = rowsOf("createBatch", "batch-");
const list = rowsOf("listBatches", "list-");
const inBatch = rowsAnywhere("batched-");

const slashed = (pair: string): string => pair.replace(/^.../, "$&/");
const isEmpty = (items: unknown): boolean => Array.isArray(items) && items.length === 0;

/** Gives a new batch another status code than 201. */
const created = (status: number): Change =>
  answers((answer, { operation }) => answer.status === 201 && operation === "createBatch", set({ status }));

/** Changes a list with no batches in it. */
const whenEmpty =
  (change: Edit): Edit =>
  (body, call) =>
    isEmpty(body["batches"]) ? change(body, call) : body;

/** Leaves batches out of the list, its count and its total; `index` counts from the oldest. */
const hiding =
  (hides: (batch: Batch, index: number) => boolean): Change =>
  (base) => ({
    listed: (call) => base.listed(call).filter((batch) => !hides(batch, call.store.batches.indexOf(batch))),
    ...success("listBatches", (body) => ({ ...body, total: body["count"] }))(base),
  });

/** Fills the list with hundreds of batches and changes only the last, which is the oldest. */
const lastOfHundreds = (change: (batch: Json) => Json): Change =>
  all(
    withOldBatches(400),
    listedBatch((batch, index, batches) => (index === batches.length - 1 ? change(batch) : batch)),
  );

/** Changes a member of every operation in a batch. */
const member = <T>(name: string, change: (value: T) => unknown): Change => batchOperation(edit(name, change));
const account = (change: (account: Json) => unknown): Change => member("bank_account", change);

/** Shows a missing intermediary bank as `bank`. */
const absentBank = (bank: unknown): Change =>
  batchOperation((it) => ({ ...it, intermediary_bank: it["intermediary_bank"] ?? bank }));

/** Changes the operations that were named in `operation_ids` of a new batch. Only clients that send this member see it. */
const namedOperation = (change: (operation: Json) => Json): Change =>
  remembering(() => {
    const named = new Set<unknown>();
    return all(
      success("createBatch", (body, call) => {
        const ids = sent(call)["operation_ids"];
        if (Array.isArray(ids)) for (const id of ids) named.add(id);
        return body;
      }),
      batchOperation((it) => (named.has(it["operation_id"]) ? change(it) : it)),
    );
  });

const needs = { pairs: true } as const;
const byMember = { needs: { batchMembers: { operation_ids: ["{operation_id}"] } } } as const;
const alsoTypes = { also: ["BATCH-23", "BATCH-30"] } as const;

/** Faults of POST /batches, of GET /batches, and of operations inside a batch in the responses of both. */
export const batchFaults: readonly Fault[] = [
  batch("id-missing", "BATCH-01", "The id is missing.").shows(omit("id")),
  batch("id-null", "BATCH-01", "The id is null.", { also: ["BATCH-04"] }).shows(set({ id: null })),
  batch("id-renamed", "BATCH-01", "The id is called batch_id.").shows(rename("id", "batch_id")),
  batch("id-number", "BATCH-01", "The id is a number.", { also: ["BATCH-04", "BATCH-24", "BATCH-35"] }).shows(
    set({ id: 17 }),
  ),
  batch("pair-slash", "BATCH-02", "The pair contains a slash.").shows(edit("currency_pair", slashed)),
  batch("pair-lower-case", "BATCH-02", "The pair is in lower case.").shows(
    edit("currency_pair", (pair: string) => pair.toLowerCase()),
  ),
  batch("pair-of-first", "BATCH-02", "The pair is always that of the first batch.", { needs, also: ["BATCH-07"] }).by(
    remembering(() => {
      let first: unknown;
      return success(
        "createBatch",
        edit("currency_pair", (pair) => (first ??= pair)),
      );
    }),
  ),
  batch("created-200", "BATCH-03", "A new batch has status code 200.").by(created(200)),
  batch("created-202", "BATCH-03", "A new batch has status code 202.").by(created(202)),
  batch("count-string", "BATCH-04", "The operation_count is a string.").shows((body) => ({
    ...body,
    operation_count: String(body["operation_count"]),
  })),
  batch("count-broken", "BATCH-04", "The operation_count is not an integer.").shows(set({ operation_count: 0.5 })),
  batch("status-null", "BATCH-04", "The status is null.").shows(set({ status: null })),
  batch("status-number", "BATCH-04", "The status is a number.").shows(set({ status: 1 })),
  batch("operations-null", "BATCH-04", "The operations of a new batch are null.").shows(set({ operations: null })),
  batch("pair-object", "BATCH-04", "The pair is an object.", { also: ["BATCH-02"] }).shows(
    edit("currency_pair", (code) => ({ code })),
  ),
  batch("time-space", "BATCH-05", "The time has a space instead of the T.").shows(edit("created_at", times.space)),
  batch("time-without-zone", "BATCH-05", "The time has no zone.").shows(edit("created_at", times.noZone)),
  batch("time-epoch", "BATCH-05", "The time is a number.", { also: ["BATCH-04"] }).shows(
    edit("created_at", times.epoch),
  ),
  batch("id-same", "BATCH-06", "All batches have the same id.", { needs, also: ["BATCH-07", "BATCH-27"] }).by(
    sameId("batch", "b1"),
  ),
  batch("id-same-together", "BATCH-07", "Concurrent requests get batches with the same id.", {
    needs,
    also: ["BATCH-06", "BATCH-27"],
  }).by(sharedIds("batch")),
  batch("answers-crossed", "BATCH-07", "Concurrent requests get each other's batch.", {
    needs,
    also: ["BATCH-02", "BATCH-27"],
  }).by(crossedAnswers("createBatch")),
  batch("error-renamed", "BATCH-08", "Errors have the shape { error }.").refuses(shapes.renamed),
  batch("error-message-null", "BATCH-08", "The message of a refusal is null.").refuses(shapes.null),
  batch(
    "error-invalid-errors",
    "BATCH-08",
    "The error for invalid data has the shape { errors: [{ detail }] }.",
  ).refuses(shapes.errors, "invalid"),
  batch("count-negative", "BATCH-09", "The operation_count is negative.").shows(set({ operation_count: -1 })),

  list("count-negative-in-batch", "BATCH-09", "The operation_count of listed batches is negative.").by(
    listedBatch(set({ operation_count: -1 })),
  ),

  list("batches-missing", "BATCH-20", "The batches are called data.").shows(rename("batches", "data")),
  list("batches-null", "BATCH-20", "The batches are null.").shows(set({ batches: null })),
  list("batches-object", "BATCH-20", "The batches are an object whose keys are the ids.").shows(
    edit("batches", (batches: readonly Json[]) => Object.fromEntries(batches.map((batch) => [batch["id"], batch]))),
  ),
  list("bare-array", "BATCH-20", "The list is a bare array.", { also: ["BATCH-21", "BATCH-22"] }).shows(
    (body) => body["batches"],
  ),
  list("batches-ids", "BATCH-20", "The batches are an array of ids.", { also: ["BATCH-23", "BATCH-24"] }).shows(
    edit("batches", (batches: readonly Json[]) => batches.map(({ id }) => id)),
  ),
  list("empty-null", "BATCH-20", "An empty list is null.").shows(whenEmpty(set({ batches: null }))),
  list("empty-without-batches", "BATCH-20", "An empty list has no member batches.").shows(whenEmpty(omit("batches"))),
  list("count-missing", "BATCH-21", "The count is missing.").shows(omit("count")),
  list("count-string", "BATCH-21", "The count is a string.").shows(edit("count", String)),
  list("count-null", "BATCH-21", "The count is null.").shows(set({ count: null })),
  list("empty-without-count", "BATCH-21", "An empty list has no count.").shows(whenEmpty(omit("count"))),
  list("total-missing", "BATCH-22", "The total is missing.").shows(omit("total")),
  list("total-broken", "BATCH-22", "The total is not an integer.").shows(set({ total: 2.5 })),
  list("total-string", "BATCH-22", "The total is a string.").shows(
    edit("total", (total: number) => `${total} batches`),
  ),
  list("empty-total-null", "BATCH-22", "The total of an empty list is null.").shows(whenEmpty(set({ total: null }))),
  list("operations-missing", "BATCH-23", "Listed batches have no operations.").by(listedBatch(omit("operations"))),
  list("operations-null", "BATCH-23", "The operations of listed batches are null.", { also: ["BATCH-25"] }).by(
    listedBatch(set({ operations: null })),
  ),
  list("operations-null-when-empty", "BATCH-23", "The operations of a listed batch are null if it has none.", {
    also: ["BATCH-25"],
  }).by(listedBatch(edit("operations", (operations) => (isEmpty(operations) ? null : operations)))),
  list("operations-missing-when-full", "BATCH-23", "Listed batches with operations do not show them.").by(
    listedBatch((batch) => (isEmpty(batch["operations"]) ? batch : omit("operations")(batch))),
  ),
  list("operations-ids", "BATCH-23", "Listed batches show only the ids of their operations.", {
    also: ["BATCH-25", "BATCH-30"],
  }).by(listedBatch(editOperations(({ operation_id }) => operation_id))),
  list("operations-missing-at-last", "BATCH-23", "In a list of hundreds, the last batch has no operations.").by(
    lastOfHundreds(omit("operations")),
  ),

  list("never-shows-new", "BATCH-24", "New batches never appear.").by(hiding(() => true)),
  list("first-batch-only", "BATCH-24", "Only the first batch appears.").by(hiding((_batch, index) => index > 0)),

  list("batch-id-number", "BATCH-25", "The ids of listed batches are numbers.", { also: ["BATCH-24", "BATCH-35"] }).by(
    listedBatch(set({ id: 5 })),
  ),
  list("batch-status-null", "BATCH-25", "The status of listed batches is null.").by(listedBatch(set({ status: null }))),
  list("batch-count-string", "BATCH-25", "The operation_count of listed batches is a string.").by(
    listedBatch(edit("operation_count", String)),
  ),
  list("batch-pair-list", "BATCH-25", "The pair of listed batches is an array of two currencies.", {
    also: ["BATCH-27"],
  }).by(listedBatch(edit("currency_pair", (pair: string) => [pair.slice(0, 3), pair.slice(3)]))),
  list("batch-status-null-at-last", "BATCH-25", "In a list of hundreds, the status of the last batch is null.").by(
    lastOfHundreds(set({ status: null })),
  ),
  list("batch-time-space", "BATCH-26", "The times of listed batches have a space instead of the T.").by(
    listedBatch(edit("created_at", times.space)),
  ),
  list("batch-time-without-zone", "BATCH-26", "The times of listed batches have no zone.").by(
    listedBatch(edit("created_at", times.noZone)),
  ),
  list("batch-time-epoch", "BATCH-26", "The times of listed batches are numbers.", { also: ["BATCH-25"] }).by(
    listedBatch(edit("created_at", times.epoch)),
  ),
  list("batch-time-at-last", "BATCH-26", "In a list of hundreds, the time of the last batch is a date.").by(
    lastOfHundreds(set({ created_at: "2026-01-31" })),
  ),
  list("batch-pair-slash", "BATCH-27", "The pairs of listed batches contain a slash.").by(
    listedBatch(edit("currency_pair", slashed)),
  ),
  list("batch-pair-swapped", "BATCH-27", "The pairs of listed batches have their currencies swapped.").by(
    listedBatch(edit("currency_pair", (pair: string) => pair.slice(3) + pair.slice(0, 3))),
  ),

  list("error-renamed", "BATCH-28", "Errors have the shape { error }.").refuses(shapes.renamed),
  list("error-number", "BATCH-28", "The message of an error is its status code.").refuses(shapes.number),
  list("error-empty", "BATCH-28", "Errors are {}.").refuses(shapes.empty),

  inBatch("id-number", "BATCH-30", "The id of an operation is a number.").by(member("operation_id", () => 3)),
  inBatch("amount-string", "BATCH-30", "The amount of an operation is a string.").by(
    member("foreign_currency_amount", String),
  ),
  inBatch("customer-null", "BATCH-30", "The customer of an operation is null.").by(member("customer_id", () => null)),
  inBatch("counterparty-object", "BATCH-30", "The counterparty of an operation is an object.").by(
    member("counterparty_id", (id) => ({ id })),
  ),
  inBatch("status-null", "BATCH-30", "The status of an operation is null.").by(member("status", () => null)),
  inBatch(
    "pair-null-at-last",
    "BATCH-30",
    "In a list of hundreds, the pair of an operation in the last batch is null.",
  ).by(lastOfHundreds(editOperations(set({ currency_pair: null })))),
  inBatch("time-space", "BATCH-31", "The time of an operation has a space instead of the T.").by(
    member("created_at", times.space),
  ),
  inBatch("time-epoch", "BATCH-31", "The time of an operation is a number.", alsoTypes).by(
    member("created_at", times.epoch),
  ),
  inBatch("time-without-zone", "BATCH-31", "The time of an operation has no zone.").by(
    member("created_at", times.noZone),
  ),
  inBatch("account-incomplete", "BATCH-32", "The account of an operation has no BIC.").by(account(omit("swift_code"))),
  inBatch("account-number", "BATCH-32", "The account number of an operation is a number.", alsoTypes).by(
    account(set({ account_number: 1 })),
  ),
  inBatch("account-iban-null", "BATCH-32", "The IBAN of an operation is null if there is none.", alsoTypes).by(
    account(fill({ iban: null })),
  ),
  inBatch("account-null", "BATCH-32", "The account of an operation is null.", alsoTypes).by(
    member("bank_account", () => null),
  ),
  inBatch(
    "intermediary-null",
    "BATCH-33",
    "The intermediary bank of an operation is null if there is none.",
    alsoTypes,
  ).by(absentBank(null)),
  inBatch("intermediary-empty", "BATCH-33", "The intermediary bank of an operation is {} if there is none.").by(
    absentBank({}),
  ),
  inBatch("intermediary-incomplete", "BATCH-33", "The intermediary bank of an operation has no name.").by(
    member("intermediary_bank", (bank: Json | undefined) => bank && omit("bank_name")(bank)),
  ),
  inBatch("purpose", "BATCH-34", "The purpose of an operation is shown.").by(
    batchOperation(set({ operation_purpose: "EFX" })),
  ),
  inBatch("purpose-null", "BATCH-34", "The purpose of an operation is shown as null.").by(
    batchOperation(set({ operation_purpose: null })),
  ),
  inBatch("purpose-at-last", "BATCH-34", "In a list of hundreds, an operation in the last batch shows its purpose.").by(
    lastOfHundreds(editOperations(set({ operation_purpose: "EFX" }))),
  ),
  inBatch("batch-other", "BATCH-35", "The batch_id of an operation is that of another batch.").by(
    batchOperation((it) => ({ ...it, batch_id: `x${String(it["batch_id"])}` })),
  ),
  inBatch("purpose-when-named", "BATCH-34", "An operation that was added by its id shows its purpose.", byMember).by(
    namedOperation(set({ operation_purpose: "EFX" })),
  ),
  inBatch(
    "account-incomplete-when-named",
    "BATCH-32",
    "The account of an operation that was added by its id has no BIC.",
    byMember,
  ).by(namedOperation(edit("bank_account", (it: Json) => omit("swift_code")(it)))),
  inBatch("batch-null", "BATCH-30", "The batch_id of an operation is null.", { also: ["BATCH-35"] }).by(
    batchOperation(set({ batch_id: null })),
  ),
  inBatch("batch-of-operation", "BATCH-35", "The batch_id of an operation is its own id.").by(
    batchOperation((it) => ({ ...it, batch_id: it["operation_id"] })),
  ),
];

import {
  all,
  answers,
  around,
  batchOperation,
  crowded,
  edit,
  editOperations,
  listedBatch,
  omit,
  pause,
  remembering,
  sent,
  set,
  succeeded,
  success,
  withOldBatches,
  type Edit,
  type Json,
} from "../change.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { Call, Change, Batch } from "../policy.ts";
import { rows, rowsAnywhere, withPairs, type Broken, type Fault } from "./fault.ts";
import { crossedAnswers, sameId, sharedIds } from "./identity.ts";
import { absentAs, as, by, from, leftOut, member, ofTimes, places, isCalled, type Way } from "./member.ts";

const { createBatch: batch, listBatches: list } = rows;
const batched = rowsAnywhere("batched-");

const isEmpty = (items: unknown): boolean => Array.isArray(items) && items.length === 0;

const created = (status: number): Change =>
  answers((answer, { operation }) => answer.status === 201 && operation === "createBatch", set({ status }));

const whenEmpty = (id: string, breaks: Broken, about: string, change: Edit): Fault =>
  list(id, breaks, about).shows((body, call) => (isEmpty(body["batches"]) ? change(body, call) : body));

/** Leaves batches out of the list, its count and its total; `index` counts from the oldest. */
const hiding =
  (hides: (batch: Batch, index: number) => boolean): Change =>
  (base) => ({
    listed: (call) => base.listed(call).filter((one) => !hides(one, call.store.batches.indexOf(one))),
    ...success("listBatches", (body) => ({ ...body, total: body["count"] }))(base),
  });

/** A fault of the last batch of hundreds, which is the oldest. */
const atLast = (id: string, breaks: RequirementId, words: string, change: (batch: Json) => Json): Fault => {
  const changed = edit("batches", (its: Json[]) => [...its.slice(0, -1), ...its.slice(-1).map(change)]);
  const row = rowsAnywhere("", id.startsWith("list-") ? "listBatches" : undefined);
  const about = `In a list of hundreds, ${words}.`;
  return row(`${id}-at-last`, breaks, about).by(all(withOldBatches(400), success("listBatches", changed)));
};

const withoutPair = set({ currency_pair: null });
const withPurpose = set({ operation_purpose: "EFX" });

/** A fault of the operations in `operation_ids` of a new batch. Only clients that send this member see it. */
const named = (id: string, breaks: RequirementId, words: string, change: (operation: Json) => Json): Fault =>
  batched(`${id}-when-named`, breaks, `An operation that was added by its id ${words}.`, byMember).by(
    remembering(() => {
      const ids = new Set<unknown>();
      const learning = success("createBatch", (body, call) => {
        const { operation_ids } = sent(call);
        if (Array.isArray(operation_ids)) for (const one of operation_ids) ids.add(one);
        return body;
      });
      return all(
        learning,
        batchOperation((it) => (ids.has(it["operation_id"]) ? change(it) : it)),
      );
    }),
  );

/** Lists batches that were created at the same time with the currencies of their pair swapped. */
const confusedInList: Change = remembering(() => {
  const confused = new Set<unknown>();
  const isCreation = ({ operation }: Call): boolean => operation === "createBatch";
  return all(
    crowded(isCreation, async (inFlight, next) => {
      await pause(10);
      const isConfused = inFlight() > 1;
      const answer = await next();
      if (isConfused) confused.add((answer.body as Json | undefined)?.["id"]);
      return answer;
    }),
    listedBatch((one) => (confused.has(one["id"]) ? edit("currency_pair", swapped)(one) : one)),
  );
});

const swapped = (pair: string): string => pair.slice(3) + pair.slice(0, 3);

/** Reads the list, extends it and writes it back: of batches created at the same time, only the last one stays. */
const lostInList: Change = remembering(() => {
  let kept: readonly unknown[] = [];
  return all(
    around(async (call, next) => {
      if (call.operation !== "createBatch") return next(call);
      const before = kept;
      await pause(10);
      const answer = await next(call);
      if (succeeded(answer)) kept = [...before, (answer.body as Json)["id"]];
      return answer;
    }),
    success("listBatches", (body) => {
      const batches = (body["batches"] as readonly Json[]).filter(({ id }) => kept.includes(id));
      return { ...body, batches, count: batches.length, total: batches.length };
    }),
  );
});

const byMember = { needs: { batchMembers: { operation_ids: ["{operation_id}"] } } } as const;
const pair = { value: "BATCH-02", type: ["BATCH-04", "BATCH-02"] } as const;
const operations = { value: "BATCH-23", type: ["BATCH-23", "BATCH-25"] } as const;
const listedPair = { value: "BATCH-27", type: ["BATCH-25", "BATCH-27"] } as const;
const batchedTime = { value: "BATCH-31", type: ["BATCH-31", "BATCH-23", "BATCH-30"] } as const;
const batchedAccount = { value: "BATCH-32", type: ["BATCH-32", "BATCH-23", "BATCH-30"] } as const;
const batchedIntermediary = { value: "BATCH-33", type: ["BATCH-33", "BATCH-23", "BATCH-30"] } as const;

const negative = set({ operation_count: -1 });
const idsOf = (batches: readonly Json[]): readonly unknown[] => batches.map(({ id }) => id);
const operationIdsOf = (its: readonly Json[]): readonly unknown[] => its.map(({ operation_id }) => operation_id);
const byId = (batches: readonly Json[]) => Object.fromEntries(batches.map((one) => [one["id"], one]));
const absentIfFull: Way = (member) => (it, call) => (isEmpty(it["operations"]) ? it : leftOut(member)(it, call));

const memberFaults: readonly Fault[] = [
  ...member(places.batch, "id", { value: "BATCH-01", type: ["BATCH-01", "BATCH-04"] }, ["missing", "null"], {
    renamed: isCalled("batch_id"),
    number: ["is a number", as(17), ["BATCH-01", "BATCH-04", "BATCH-24", "BATCH-35"]],
  }),
  ...member(places.batch, "currency_pair", pair, ["slash", "lower-case", "object"]),
  ...member(places.batch, "currency_pair", { value: ["BATCH-02", "BATCH-07"], ...withPairs }, ["of-first"]),
  ...member(places.batch, "operation_count", { value: "BATCH-04" }, ["string"], {
    broken: ["is not an integer", as(0.5)],
    negative: ["is negative", as(-1), "BATCH-09"],
  }),
  ...member(places.batch, "status", { type: "BATCH-04" }, ["null", "number"]),
  ...member(places.batch, "operations", { type: "BATCH-04" }, ["null"]),
  ...member(places.batch, "created_at", { value: "BATCH-05", type: ["BATCH-05", "BATCH-04"] }, ofTimes),

  ...member(places.list, "batches", { value: "BATCH-20" }, ["null"], {
    missing: isCalled("data"),
    object: ["is an object whose keys are the ids", by(byId)],
    ids: ["is an array of ids", by(idsOf), ["BATCH-20", "BATCH-23", "BATCH-24"]],
  }),
  ...member(places.list, "count", { value: "BATCH-21" }, ["missing", "string", "null"]),
  ...member(places.list, "total", { value: "BATCH-22" }, ["missing", "string"], { broken: ["is 2.5", as(2.5)] }),
  ...member(places.listed, "operations", operations, ["missing", "null"], {
    "null-when-empty": ["is null if there are none", by((it) => (isEmpty(it) ? null : it)), "type"],
    "missing-when-full": ["is missing if there are some", absentIfFull],
    ids: ["is an array of ids", by(operationIdsOf), ["BATCH-23", "BATCH-25", "BATCH-30"]],
  }),
  ...member(places.listedBatch, "id", { type: ["BATCH-25", "BATCH-24", "BATCH-35"] }, ["number"]),
  ...member(places.listedBatch, "status", { type: "BATCH-25" }, ["null"]),
  ...member(places.listedBatch, "operation_count", { type: "BATCH-25" }, ["string"]),
  ...member(places.listedBatch, "currency_pair", listedPair, ["slash", "swapped"], {
    list: ["is an array of two currencies", by((it: string) => [it.slice(0, 3), it.slice(3)]), "type"],
  }),
  ...member(places.listedBatch, "created_at", { value: "BATCH-26", type: ["BATCH-26", "BATCH-25"] }, ofTimes),

  ...member(places.batched, "operation_id", { type: "BATCH-30" }, ["number"]),
  ...member(places.batched, "foreign_currency_amount", { type: "BATCH-30" }, ["string"]),
  ...member(places.batched, "customer_id", { type: "BATCH-30" }, ["null"]),
  ...member(places.batched, "counterparty_id", { type: "BATCH-30" }, ["object"]),
  ...member(places.batched, "status", { type: "BATCH-30" }, ["null"]),
  ...member(places.batched, "created_at", batchedTime, ofTimes),
  ...member(places.batched, "bank_account", batchedAccount, ["null", "iban-null"], {
    incomplete: ["has no swift_code", by(omit("swift_code"))],
    number: ["has a number as its account_number", by(set({ account_number: 1 })), "type"],
  }),
  ...member(places.batched, "intermediary_bank", batchedIntermediary, ["empty"], {
    null: ["is null if there is none", absentAs(null), "type"],
    incomplete: ["has no bank_name", by((bank: Json | undefined) => bank && omit("bank_name")(bank))],
  }),
  ...member(places.batched, "operation_purpose", { value: "BATCH-34" }, ["null"]),
  ...member(places.batched, "batch_id", { value: "BATCH-35", type: ["BATCH-30", "BATCH-35"] }, ["null"], {
    other: ["is that of another batch", from(({ batch_id }) => `x${String(batch_id)}`)],
    "of-operation": ["is the id of the operation", from(({ operation_id }) => operation_id)],
  }),
];

const anyId = ["BATCH-06", "BATCH-07", "BATCH-27"] as const;
const together = ["BATCH-07", "BATCH-06", "BATCH-27"] as const;
const crossed = ["BATCH-07", "BATCH-02", "BATCH-27"] as const;

export const batchFaults: readonly Fault[] = [
  ...memberFaults,
  batch("created-200", "BATCH-03", "A new batch has status code 200.").by(created(200)),
  batch("created-202", "BATCH-03", "A new batch has status code 202.").by(created(202)),
  batch("id-same", anyId, "All batches have the same id.", withPairs).by(sameId("batch", "b1")),
  batch("id-same-together", together, "Concurrent batches share an id.", withPairs).by(sharedIds("batch")),
  batch("answers-crossed", crossed, "Concurrent requests swap answers.", withPairs).by(crossedAnswers("createBatch")),

  list("count-negative-in-batch", "BATCH-09", "The count of a listed batch is negative.").by(listedBatch(negative)),
  list("bare-array", ["BATCH-20", "BATCH-21", "BATCH-22"], "The list is a bare array.").shows(({ batches }) => batches),
  whenEmpty("empty-null", "BATCH-20", "An empty list is null.", set({ batches: null })),
  whenEmpty("empty-without-batches", "BATCH-20", "An empty list has no member batches.", omit("batches")),
  whenEmpty("empty-without-count", "BATCH-21", "An empty list has no count.", omit("count")),
  whenEmpty("empty-total-null", "BATCH-22", "The total of an empty list is null.", set({ total: null })),
  list("never-shows-new", "BATCH-24", "New batches never appear.").by(hiding(() => true)),
  list("first-batch-only", "BATCH-24", "Only the first batch appears.").by(hiding((_batch, index) => index > 0)),
  list("created-together-lost", "BATCH-24", "Of concurrent batches, only the last one is listed.").by(lostInList),
  list("created-together-confused", "BATCH-27", "Concurrent batches list swapped pairs.", withPairs).by(confusedInList),

  atLast("list-operations-missing", "BATCH-23", "the last batch has no operations", omit("operations")),
  atLast("list-batch-status-null", "BATCH-25", "the status of the last batch is null", set({ status: null })),
  atLast("list-batch-time", "BATCH-26", "the time of the last batch is a date", set({ created_at: "2026-01-31" })),
  atLast("batched-pair-null", "BATCH-30", "the pair of the last operation is null", editOperations(withoutPair)),
  atLast("batched-purpose", "BATCH-34", "the last operation shows its purpose", editOperations(withPurpose)),
  batched("purpose", "BATCH-34", "An operation in a batch shows its purpose.").by(batchOperation(withPurpose)),
  named("purpose", "BATCH-34", "shows its purpose", withPurpose),
  named("account-incomplete", "BATCH-32", "has no BIC", edit("bank_account", omit("swift_code"))),
];

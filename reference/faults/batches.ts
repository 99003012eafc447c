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
  rename,
  pause,
  remembering,
  sent,
  set,
  succeeded,
  successOf,
  withOldBatches,
  type Edit,
  type Json,
} from "../change.ts";
import type { Call, Change, Batch } from "../policy.ts";
import {
  at,
  faultsAnywhere,
  inSequence,
  withPairs,
  type Fault,
  atOnce,
  forSomeValues,
  inState,
} from "./fault.ts";
import { crossedAnswers, idsTwice, sameId, sharedIds } from "./identity.ts";
import {
  fixedValue,
  fromRight,
  fromBody,
  fromSecondOn,
  member,
  places,
  type WrongValue,
} from "./member.ts";

const { createBatch: batch, listBatches: list } = at;
const batched = faultsAnywhere("batched-");

const isEmpty = (items: unknown): boolean => Array.isArray(items) && items.length === 0;

/** Gives the response to a new batch this status code. */
function createdWith(status: number): Change {
  return answers(successOf("createBatch"), set({ status }));
}

/** Changes the list while it has no batches. */
function showsIfEmpty(change: Edit): Change {
  return list.shows((body, call) => (isEmpty(body["batches"]) ? change(body, call) : body));
}

/**
 * Leaves batches out of the list, its count and its total. `index` counts from the oldest batch.
 */
function hides(isHidden: (batch: Batch, index: number) => boolean): Change {
  const counting = list.shows((body) => ({ ...body, total: body["count"] }));
  return (base) => ({
    listed: (call) =>
      base.listed(call).filter((one) => !isHidden(one, call.store.batches.indexOf(one))),
    ...counting(base),
  });
}

/**
 * Makes the server begin with 400 batches, and changes the last one in the list, which is the
 * oldest.
 */
function atLast(change: (batch: Json) => Json): Change {
  const changed = edit("batches", (its: Json[]) => [
    ...its.slice(0, -1),
    ...its.slice(-1).map(change),
  ]);
  return all(withOldBatches(400), list.shows(changed));
}

const withoutPair = set({ currency_pair: null });
export const withPurpose = set({ operation_purpose: "EFX" });

/**
 * Changes operations whose ids a client sent as `operation_ids` of a new batch. Clients that never
 * send this member do not see the change.
 */
export function whenNamed(change: (operation: Json, call: Call) => Json): Change {
  return remembering(() => {
    const ids = new Set<unknown>();
    const learning = batch.shows((body, call) => {
      const named = sent(call)["operation_ids"];
      if (Array.isArray(named)) for (const id of named) ids.add(id);
      return body;
    });
    return all(
      learning,
      batchOperation((operation, call) =>
        ids.has(operation["operation_id"]) ? change(operation, call) : operation,
      ),
    );
  });
}

/**
 * In the list, swaps the two currencies of a batch if it was created at the same time as another
 * one.
 */
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

/**
 * Reads the list, extends it and writes it back. Of batches that are created at the same time, only
 * the last one stays.
 */
export const lostInList: Change = remembering(() => {
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
    list.shows((body) => {
      const batches = (body["batches"] as readonly Json[]).filter(({ id }) => kept.includes(id));
      return { ...body, batches, count: batches.length, total: batches.length };
    }),
  );
});

export const byMember = { needs: { batchMembers: { operation_ids: ["{operation_id}"] } } } as const;
const pair = { value: "BATCH-02", type: ["BATCH-04", "BATCH-02"] } as const;
const operations = { value: "BATCH-23", type: ["BATCH-23", "BATCH-25"] } as const;
const listedPair = { value: "BATCH-27", type: ["BATCH-25", "BATCH-27"] } as const;
const batchedTime = { value: "BATCH-31", type: ["BATCH-31", "BATCH-23", "BATCH-30"] } as const;
const batchedAccount = { value: "BATCH-32", type: ["BATCH-32", "BATCH-23", "BATCH-30"] } as const;
const batchedIntermediary = {
  value: "BATCH-33",
  type: ["BATCH-33", "BATCH-23", "BATCH-30"],
} as const;

const negative = set({ operation_count: -1 });
const textIfFull: WrongValue = ({ value }) => (Number(value) > 0 ? String(value) : value);
const absentIfFull: WrongValue = ({ value }) => (isEmpty(value) ? value : undefined);

const memberFaults: readonly Fault[] = [
  ...member(
    places.batch,
    "id",
    { value: "BATCH-01", type: ["BATCH-01", "BATCH-04"] },
    ["missing"],
    {
      number: ["is a number", fixedValue(17), ["BATCH-01", "BATCH-04", "BATCH-24", "BATCH-35"]],
    },
  ),
  ...member(places.batch, "currency_pair", pair, ["slash", "object"]),
  ...member(places.batch, "currency_pair", { value: ["BATCH-02", "BATCH-07"], ...withPairs }, [
    "of-first",
  ]),
  ...member(places.batch, "operation_count", { value: "BATCH-04" }, [], {
    "string-when-full": ["is a string if there are operations", textIfFull, "value", inState],
    negative: ["is negative", fixedValue(-1), "BATCH-09"],
  }),
  ...member(places.batch, "status", { type: "BATCH-04" }, []),
  ...member(places.batch, "created_at", { value: "BATCH-05", type: ["BATCH-05", "BATCH-04"] }, [
    "space-later",
    "without-zone",
  ]),

  list.fault(
    "batches-missing",
    "BATCH-20",
    "The member batches of the list is called data.",
    list.shows(rename("batches", "data")),
  ),
  ...member(places.list, "batches", { value: "BATCH-20" }, ["null"]),
  ...member(places.list, "count", { value: "BATCH-21" }, ["missing", "string"]),
  ...member(places.list, "total", { value: "BATCH-22" }, ["missing", "string"]),
  ...member(places.listed, "operations", operations, ["missing"], {
    "missing-when-full": ["is missing if there are some", absentIfFull, "value", inState],
  }),
  ...member(places.listedBatch, "id", { type: ["BATCH-25", "BATCH-24", "BATCH-35"] }, ["number"]),
  ...member(places.listedBatch, "status", { type: "BATCH-25" }, ["null"]),
  ...member(places.listedBatch, "operation_count", { type: "BATCH-25" }, ["string"]),
  ...member(places.listedBatch, "currency_pair", listedPair, ["slash", "swapped"]),
  ...member(
    places.listedBatch,
    "created_at",
    { value: "BATCH-26", type: ["BATCH-26", "BATCH-25"] },
    ["space"],
  ),

  ...member(places.batched, "operation_id", { type: "BATCH-30" }, ["number"]),
  ...member(places.batched, "foreign_currency_amount", { value: "BATCH-36" }, [], {
    cut: ["has no decimals", fromRight((it: number) => Math.trunc(it))],
  }),
  ...member(places.batched, "counterparty_id", { value: "BATCH-36" }, ["of-first"]),
  ...member(places.batched, "created_at", batchedTime, ["space-later", "without-zone"]),
  ...member(places.batched, "bank_account", batchedAccount, ["null"], {
    incomplete: ["has no swift_code", fromRight(omit("swift_code"))],
  }),
  ...member(places.batched, "intermediary_bank", batchedIntermediary, ["empty"], {
    incomplete: [
      "has no bank_name",
      fromRight((bank: Json | undefined) => bank && omit("bank_name")(bank)),
    ],
  }),
  ...member(places.batched, "operation_purpose", { value: "BATCH-34" }, ["null"]),
  ...member(
    places.batched,
    "batch_id",
    { value: "BATCH-35", type: ["BATCH-30", "BATCH-35"] },
    ["null"],
    {
      other: ["is that of another batch", fromBody(({ batch_id }) => `x${String(batch_id)}`)],
      "of-operation": [
        "is the id of the operation from the second one on",
        fromSecondOn(fromBody(({ operation_id }) => operation_id)),
        "value",
        inSequence,
      ],
    },
  ),
];

const anyId = ["BATCH-06", "BATCH-07", "BATCH-27"] as const;
const together = ["BATCH-07", "BATCH-06", "BATCH-27"] as const;
const crossed = ["BATCH-07", "BATCH-02", "BATCH-27"] as const;

export const batchFaults: readonly Fault[] = [
  ...memberFaults,
  batch.fault("created-200", "BATCH-03", "A new batch has status code 200.", createdWith(200)),
  batch.fault("id-same", anyId, "All batches have the same id.", sameId("batch", "b1"), withPairs),
  batch.fault("id-twice", anyId, "Each id is used twice.", idsTwice("batch"), {
    ...withPairs,
    ...inSequence,
  }),
  batch.fault("id-same-together", together, "Concurrent batches share an id.", sharedIds("batch"), {
    ...withPairs,
    ...atOnce,
  }),
  batch.fault(
    "answers-crossed",
    crossed,
    "Concurrent requests swap answers.",
    crossedAnswers("createBatch"),
    {
      ...withPairs,
      ...atOnce,
    },
  ),

  list.fault(
    "count-negative-in-batch",
    "BATCH-09",
    "The count of a listed batch is negative.",
    listedBatch(negative),
  ),
  list.fault(
    "bare-array",
    ["BATCH-20", "BATCH-21", "BATCH-22"],
    "The list is a bare array.",
    list.shows(({ batches }) => batches),
  ),
  list.fault(
    "empty-null",
    "BATCH-20",
    "An empty list is null.",
    showsIfEmpty(set({ batches: null })),
    inState,
  ),
  list.fault(
    "empty-without-count",
    "BATCH-21",
    "An empty list has no count.",
    showsIfEmpty(omit("count")),
    inState,
  ),
  list.fault(
    "empty-total-null",
    "BATCH-22",
    "The total of an empty list is null.",
    showsIfEmpty(set({ total: null })),
    inState,
  ),
  list.fault(
    "never-shows-new",
    "BATCH-24",
    "New batches never appear.",
    hides(() => true),
  ),
  list.fault(
    "first-batch-only",
    "BATCH-24",
    "Only the first batch appears.",
    hides((_batch, index) => index > 0),
    inSequence,
  ),
  list.fault(
    "created-together-lost",
    "BATCH-24",
    "Of concurrent batches, only the last one is listed.",
    lostInList,
    atOnce,
  ),
  list.fault(
    "created-together-confused",
    "BATCH-27",
    "Concurrent batches list swapped pairs.",
    confusedInList,
    {
      ...withPairs,
      ...atOnce,
    },
  ),

  list.fault(
    "operations-missing-at-last",
    "BATCH-23",
    "In a list of hundreds, the last batch has no operations.",
    atLast(omit("operations")),
    inState,
  ),
  list.fault(
    "batch-status-null-at-last",
    "BATCH-25",
    "In a list of hundreds, the status of the last batch is null.",
    atLast(set({ status: null })),
    inState,
  ),
  list.fault(
    "batch-time-at-last",
    "BATCH-26",
    "In a list of hundreds, the time of the last batch is a date.",
    atLast(set({ created_at: "2026-01-31" })),
    inState,
  ),
  batched.fault(
    "pair-null-at-last",
    "BATCH-30",
    "In a list of hundreds, the pair of the last operation is null.",
    atLast(editOperations(withoutPair)),
    inState,
  ),
  batched.fault(
    "purpose-at-last",
    "BATCH-34",
    "In a list of hundreds, the last operation shows its purpose.",
    atLast(editOperations(withPurpose)),
    inState,
  ),
  batched.fault(
    "purpose",
    "BATCH-34",
    "An operation in a batch shows its purpose.",
    batchOperation(withPurpose),
  ),
  batched.fault(
    "purpose-when-named",
    "BATCH-34",
    "An operation that was added by its id shows its purpose.",
    whenNamed(withPurpose),
    { ...byMember, ...forSomeValues },
  ),
  batched.fault(
    "account-incomplete-when-named",
    "BATCH-32",
    "An operation that was added by its id has no BIC.",
    whenNamed(edit("bank_account", omit("swift_code"))),
    { ...byMember, ...forSomeValues },
  ),
];

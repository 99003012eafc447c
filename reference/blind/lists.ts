import { randomUUID } from "node:crypto";
import {
  answers,
  batchOperation,
  listedBatch,
  omit,
  problem,
  remembering,
  repeated,
  sent,
  set,
  success,
  successOf,
  withOldBatches,
  type Json,
} from "../change.ts";
import type { Answer, Change } from "../policy.ts";
import { at, legal, type BlindClass } from "./blind.ts";
import { listing } from "./storage.ts";

function batchesOf(body: Json): readonly Json[] {
  return body["batches"] as readonly Json[];
}

/** Shows the member `batches` of the list in another form. */
function batches(change: (batches: readonly Json[]) => unknown): Change {
  return at.list.shows((body) => ({ ...body, batches: change(batchesOf(body)) }));
}

/** Changes listed batches that have no operations. */
function withoutOperations(change: (batch: Json) => Json): Change {
  return listedBatch((batch) => ((batch["operations"] as []).length === 0 ? change(batch) : batch));
}

const firstAnswerForEver: Change = remembering(() => {
  let first: Answer | undefined;
  return answers(successOf("listBatches"), (answer) => {
    first ??= answer;
    return first;
  });
});

const sameBatchAgain: Change = remembering(() => {
  const first = new Map<unknown, Answer>();
  return answers(successOf("createBatch"), (answer, call) => {
    const pair = sent(call)["currency_pair"];
    first.set(pair, first.get(pair) ?? answer);
    return first.get(pair) ?? answer;
  });
});

export const lists: BlindClass = {
  faults: [
    at.list.fault(
      "null-when-empty",
      "BATCH-20",
      "A list without batches is null.",
      batches((all) => (all.length === 0 ? null : all)),
    ),
    at.list.fault(
      "null-operations",
      ["BATCH-23", "BATCH-25"],
      "The operations of a listed batch are null if there are none.",
      withoutOperations(set({ operations: null })),
    ),
    at.list.fault(
      "operations-left-out",
      "BATCH-23",
      "The operations of a listed batch are left out if there are none.",
      withoutOperations(omit("operations")),
    ),
    at.list.fault(
      "zero-total-left-out",
      "BATCH-22",
      "A total of zero is left out.",
      at.list.shows((body) => (body["total"] === 0 ? omit("total")(body) : body)),
    ),
    at.list.fault(
      "one-element-unwrapped",
      "BATCH-20",
      "A list of one batch is the batch.",
      batches((all) => (all.length === 1 ? all[0] : all)),
    ),
    at.list.fault(
      "holes-make-object",
      "BATCH-20",
      "From three batches on, the list is an object with numbers as names.",
      batches((all) => (all.length >= 3 ? { ...all } : all)),
    ),
    at.list.fault(
      "first-three-only",
      "BATCH-24",
      "The list shows the three oldest batches, and says that there are three.",
      listing((batch, all) => all.slice(-3).includes(batch)),
    ),
    at.list.fault(
      "stale-cache",
      "BATCH-24",
      "The first list is kept for ever.",
      firstAnswerForEver,
    ),
    at.list.fault(
      "null-pair-of-oldest",
      ["BATCH-25", "BATCH-27"],
      "The pair of the first batch in the list is null.",
      batches(([first, ...others]) =>
        first === undefined ? [] : [{ ...first, currency_pair: null }, ...others],
      ),
    ),
    at.list.fault(
      "null-operation-count",
      "BATCH-25",
      "The operation_count of listed batches is null.",
      listedBatch(set({ operation_count: null })),
    ),
    at.list.fault(
      "purpose-inside-batch",
      "BATCH-34",
      "Operations in batches show their purpose.",
      batchOperation(set({ operation_purpose: "EFX" })),
    ),
    at.list.fault(
      "foreign-batch-id",
      "BATCH-35",
      "Operations in batches name another batch.",
      batchOperation(set({ batch_id: randomUUID() })),
    ),
    at.list.fault(
      "null-bank-inside-batch",
      ["BATCH-33", "BATCH-30"],
      "Operations in batches show a missing intermediary bank as null.",
      batchOperation((it) => ({ intermediary_bank: null, ...withoutUndefined(it) })),
    ),
  ],
  variants: [
    legal(
      "two-newest-and-cursor",
      "The list shows the two newest batches and a cursor.",
      success("listBatches", (body) => {
        const shown = batchesOf(body).slice(0, 2);
        return { ...body, batches: shown, count: shown.length, next_cursor: "b2Zmc2V0" };
      }),
    ),
    legal(
      "five-oldest-total",
      "The list shows the five oldest batches, and the total of all.",
      success("listBatches", (body) => {
        const shown = batchesOf(body).slice(-5);
        return { ...body, batches: shown, count: shown.length };
      }),
    ),
    legal("same-batch-again", "A second batch of a pair is the first one.", sameBatchAgain),
    legal(
      "second-batch-409",
      "A second batch of a pair gets a 409.",
      repeated(
        successOf("createBatch"),
        (call) => sent(call)["currency_pair"],
        () => problem(409, "There is an open batch of this pair"),
      ),
    ),
    legal("many-old-batches", "There are 300 batches from before.", withOldBatches(300)),
  ],
};

function withoutUndefined(it: Json): Json {
  return Object.fromEntries(Object.entries(it).filter(([, value]) => value !== undefined));
}

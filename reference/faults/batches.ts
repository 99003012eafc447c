import { answers, changed, refusal, success, without } from "../change.ts";
import type { Json } from "../change.ts";
import type { Change } from "../policy.ts";
import type { Fault } from "./fault.ts";
import { rowsOf } from "./row.ts";
import { shapes } from "./shapes.ts";
import { times } from "./time.ts";
import { crossing, repeatingWhenTogether } from "./together.ts";

const made = rowsOf("createBatch", "batch");

const created = (change: (body: Json) => Json): Change => success("createBatch", change);
const pairs = { pairs: true } as const;

/** Faults of POST /batches, apart from the operations inside a batch. */
export const batchFaults: readonly Fault[] = [
  made(
    "id-missing",
    "BATCH-01",
    "The id is missing.",
    created((body) => without(body, "id")),
  ),
  made(
    "id-null",
    "BATCH-01",
    "The id is null.",
    created((body) => ({ ...body, id: null })),
    { also: ["BATCH-04"] },
  ),
  made(
    "id-renamed",
    "BATCH-01",
    "The id is called batch_id.",
    created((body) => ({ ...without(body, "id"), batch_id: body["id"] })),
  ),
  made(
    "id-number",
    "BATCH-01",
    "The id is a number.",
    created((body) => ({ ...body, id: 17 })),
    { also: ["BATCH-04", "BATCH-24", "BATCH-35"] },
  ),
  made(
    "pair-slash",
    "BATCH-02",
    "The pair has a slash in it.",
    created((body) => ({ ...body, currency_pair: String(body["currency_pair"]).replace(/^.../, "$&/") })),
  ),
  made(
    "pair-lower-case",
    "BATCH-02",
    "The pair is in small letters.",
    created((body) => ({ ...body, currency_pair: String(body["currency_pair"]).toLowerCase() })),
  ),
  made(
    "pair-of-first",
    "BATCH-02",
    "The pair is always that of the first batch.",
    (base) => {
      let first: unknown;
      return created((body) => ({ ...body, currency_pair: (first ??= body["currency_pair"]) }))(base);
    },
    { needs: pairs, also: ["BATCH-07"] },
  ),
  made(
    "created-200",
    "BATCH-03",
    "A creation is answered with 200.",
    answers(
      ({ status }, { operation }) => status === 201 && operation === "createBatch",
      (answer) => ({ ...answer, status: 200 }),
    ),
  ),
  made(
    "created-202",
    "BATCH-03",
    "A creation is answered with 202.",
    answers(
      ({ status }, { operation }) => status === 201 && operation === "createBatch",
      (answer) => ({ ...answer, status: 202 }),
    ),
  ),
  made(
    "count-string",
    "BATCH-04",
    "The operation_count is a string.",
    created((body) => ({ ...body, operation_count: String(body["operation_count"]) })),
  ),
  made(
    "count-broken",
    "BATCH-04",
    "The operation_count is no whole number.",
    created((body) => ({ ...body, operation_count: 0.5 })),
  ),
  made(
    "status-null",
    "BATCH-04",
    "The status is null.",
    created((body) => ({ ...body, status: null })),
  ),
  made(
    "status-number",
    "BATCH-04",
    "The status is a number.",
    created((body) => ({ ...body, status: 1 })),
  ),
  made(
    "operations-null",
    "BATCH-04",
    "The operations are null in the answer to the creation.",
    created((body) => ({ ...body, operations: null })),
  ),
  made(
    "pair-object",
    "BATCH-04",
    "The pair is an object.",
    created((body) => ({ ...body, currency_pair: { code: body["currency_pair"] } })),
    { also: ["BATCH-02"] },
  ),
  made(
    "time-space",
    "BATCH-05",
    "The time has a space for the T.",
    created((body) => changed(body, "created_at", (time) => times.space(String(time)))),
  ),
  made(
    "time-without-zone",
    "BATCH-05",
    "The time has no zone.",
    created((body) => changed(body, "created_at", (time) => times.noZone(String(time)))),
  ),
  made(
    "time-epoch",
    "BATCH-05",
    "The time is a number.",
    created((body) => changed(body, "created_at", (time) => times.epoch(String(time)))),
    { also: ["BATCH-04"] },
  ),
  made(
    "id-same",
    "BATCH-06",
    "All batches have one id.",
    (base) => ({
      newId: (kind, call) => (kind === "batch" ? "b1" : base.newId(kind, call)),
    }),
    { needs: pairs, also: ["BATCH-07", "BATCH-27"] },
  ),
  made(
    "id-same-together",
    "BATCH-07",
    "Batches that are created at once share an id.",
    repeatingWhenTogether("batch"),
    { needs: pairs, also: ["BATCH-06", "BATCH-27"] },
  ),
  made(
    "answers-crossed",
    "BATCH-07",
    "Batches that are created at once get each other's answers.",
    crossing("createBatch"),
    { needs: pairs, also: ["BATCH-02", "BATCH-27"] },
  ),
  made("error-renamed", "BATCH-08", "Refusals are { error }.", refusal("createBatch", shapes.renamed)),
  made("error-message-null", "BATCH-08", "The message of a refusal is null.", refusal("createBatch", shapes.null)),
  made(
    "error-invalid-errors",
    "BATCH-08",
    "Invalid data is answered with a list of errors.",
    refusal("createBatch", (answer) => (answer.refusal === "invalid" ? shapes.errors(answer) : answer)),
  ),
  made(
    "count-negative",
    "BATCH-09",
    "The operation_count is negative.",
    created((body) => ({ ...body, operation_count: -1 })),
  ),
];

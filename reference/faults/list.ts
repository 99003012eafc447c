import { listedBatch, refusal, success, without } from "../change.ts";
import type { Json } from "../change.ts";
import type { Change } from "../policy.ts";
import type { Batch } from "../store.ts";
import type { Fault } from "./fault.ts";
import { lastOfHundreds } from "./last-of-hundreds.ts";
import { rowsOf } from "./row.ts";
import { shapes } from "./shapes.ts";
import { times } from "./time.ts";

const list = rowsOf("listBatches", "list");

const listed = (change: (body: Json) => Json): Change => success("listBatches", change);
const isEmpty = (body: Json): boolean => (body["batches"] as readonly unknown[]).length === 0;
const whenEmpty = (change: (body: Json) => Json): Change => listed((body) => (isEmpty(body) ? change(body) : body));

/** Changes one member of every listed batch. */
const each = (name: string, change: (value: unknown, batch: Json) => unknown): Change =>
  listedBatch((batch) => ({ ...batch, [name]: change(batch[name], batch) }));

const time = (change: (time: string) => unknown) => (value: unknown) => change(String(value));

/** Leaves batches out of the list, and out of what it counts. */
const hiding =
  (hides: (batch: Batch, index: number) => boolean): Change =>
  (base) => ({
    listed: (call) => base.listed(call).filter((batch) => !hides(batch, call.store.batches.indexOf(batch))),
    ...listed((body) => ({ ...body, total: body["count"] }))(base),
  });

/** Faults of GET /batches, apart from the operations inside a batch. */
export const listFaults: readonly Fault[] = [
  list(
    "count-negative-in-batch",
    "BATCH-09",
    "The operation_count of listed batches is negative.",
    each("operation_count", () => -1),
  ),

  list(
    "batches-missing",
    "BATCH-20",
    "The batches are called data.",
    listed((body) => ({ ...without(body, "batches"), data: body["batches"] })),
  ),
  list(
    "batches-null",
    "BATCH-20",
    "The batches are null.",
    listed((body) => ({ ...body, batches: null })),
  ),
  list(
    "batches-object",
    "BATCH-20",
    "The batches are an object with their ids for names.",
    listed((body) => ({
      ...body,
      batches: Object.fromEntries((body["batches"] as readonly Json[]).map((batch) => [batch["id"], batch])),
    })),
  ),
  list(
    "bare-array",
    "BATCH-20",
    "The list is a bare array.",
    success("listBatches", (body) => body["batches"]),
    { also: ["BATCH-21", "BATCH-22"] },
  ),
  list(
    "batches-ids",
    "BATCH-20",
    "The batches are a list of ids.",
    listed((body) => ({ ...body, batches: (body["batches"] as readonly Json[]).map(({ id }) => id) })),
    { also: ["BATCH-23", "BATCH-24"] },
  ),
  list(
    "empty-null",
    "BATCH-20",
    "An empty list is null.",
    whenEmpty((body) => ({ ...body, batches: null })),
  ),
  list(
    "empty-without-batches",
    "BATCH-20",
    "An empty list is left out.",
    whenEmpty((body) => without(body, "batches")),
  ),
  list(
    "count-missing",
    "BATCH-21",
    "The count is missing.",
    listed((body) => without(body, "count")),
  ),
  list(
    "count-string",
    "BATCH-21",
    "The count is a string.",
    listed((body) => ({ ...body, count: String(body["count"]) })),
  ),
  list(
    "count-null",
    "BATCH-21",
    "The count is null.",
    listed((body) => ({ ...body, count: null })),
  ),
  list(
    "empty-without-count",
    "BATCH-21",
    "An empty list has no count.",
    whenEmpty((body) => without(body, "count")),
  ),
  list(
    "total-missing",
    "BATCH-22",
    "The total is missing.",
    listed((body) => without(body, "total")),
  ),
  list(
    "total-broken",
    "BATCH-22",
    "The total is no whole number.",
    listed((body) => ({ ...body, total: 2.5 })),
  ),
  list(
    "total-string",
    "BATCH-22",
    "The total is a string.",
    listed((body) => ({ ...body, total: `${String(body["total"])} batches` })),
  ),
  list(
    "empty-total-null",
    "BATCH-22",
    "The total of an empty list is null.",
    whenEmpty((body) => ({ ...body, total: null })),
  ),
  list(
    "operations-missing",
    "BATCH-23",
    "Listed batches have no operations.",
    listedBatch((batch) => without(batch, "operations")),
  ),
  list(
    "operations-null",
    "BATCH-23",
    "The operations of listed batches are null.",
    each("operations", () => null),
    { also: ["BATCH-25"] },
  ),
  list(
    "operations-null-when-empty",
    "BATCH-23",
    "The operations of a listed batch are null where there are none.",
    each("operations", (value) => ((value as readonly unknown[]).length === 0 ? null : value)),
    { also: ["BATCH-25"] },
  ),
  list(
    "operations-missing-when-full",
    "BATCH-23",
    "A listed batch shows its operations only where there are none.",
    listedBatch((batch) =>
      (batch["operations"] as readonly unknown[]).length === 0 ? batch : without(batch, "operations"),
    ),
  ),
  list(
    "operations-ids",
    "BATCH-23",
    "The operations of listed batches are their ids.",
    each("operations", (value) => (value as readonly Json[]).map((one) => one["operation_id"])),
    { also: ["BATCH-25", "BATCH-30"] },
  ),
  list(
    "operations-missing-at-last",
    "BATCH-23",
    "The last of hundreds of batches has no operations.",
    lastOfHundreds((batch) => without(batch, "operations")),
  ),

  list(
    "never-shows-new",
    "BATCH-24",
    "Batches that were created never appear.",
    hiding(() => true),
  ),
  list(
    "first-batch-only",
    "BATCH-24",
    "Only the first batch appears.",
    hiding((_batch, index) => index > 0),
  ),

  list(
    "batch-id-number",
    "BATCH-25",
    "The ids of listed batches are numbers.",
    listedBatch((batch) => ({ ...batch, id: 5 })),
    { also: ["BATCH-24", "BATCH-35"] },
  ),
  list(
    "batch-status-null",
    "BATCH-25",
    "The status of listed batches is null.",
    each("status", () => null),
  ),
  list(
    "batch-count-string",
    "BATCH-25",
    "The operation_count of listed batches is a string.",
    each("operation_count", String),
  ),
  list(
    "batch-pair-list",
    "BATCH-25",
    "The pair of listed batches is a list of two.",
    each("currency_pair", (pair) => [String(pair).slice(0, 3), String(pair).slice(3)]),
    { also: ["BATCH-27"] },
  ),
  list(
    "batch-status-null-at-last",
    "BATCH-25",
    "The status of the last of hundreds of batches is null.",
    lastOfHundreds((batch) => ({ ...batch, status: null })),
  ),
  list(
    "batch-time-space",
    "BATCH-26",
    "The times of listed batches have a space for the T.",
    each("created_at", time(times.space)),
  ),
  list(
    "batch-time-without-zone",
    "BATCH-26",
    "The times of listed batches have no zone.",
    each("created_at", time(times.noZone)),
  ),
  list(
    "batch-time-epoch",
    "BATCH-26",
    "The times of listed batches are numbers.",
    each("created_at", time(times.epoch)),
    { also: ["BATCH-25"] },
  ),
  list(
    "batch-time-at-last",
    "BATCH-26",
    "The time of the last of hundreds of batches is a date.",
    lastOfHundreds((batch) => ({ ...batch, created_at: "2026-01-31" })),
  ),
  list(
    "batch-pair-slash",
    "BATCH-27",
    "The pairs of listed batches have a slash in them.",
    each("currency_pair", (pair) => String(pair).replace(/^.../, "$&/")),
  ),
  list(
    "batch-pair-swapped",
    "BATCH-27",
    "The pairs of listed batches are the other way round.",
    each("currency_pair", (pair) => String(pair).slice(3) + String(pair).slice(0, 3)),
  ),

  list("error-renamed", "BATCH-28", "Refusals are { error }.", refusal("listBatches", shapes.renamed)),
  list("error-number", "BATCH-28", "The message of a refusal is its status.", refusal("listBatches", shapes.number)),
  list("error-empty", "BATCH-28", "Refusals are {}.", refusal("listBatches", shapes.empty)),
];

import { all, batchOperation, listedBatch, omit, success, type Json } from "../change.ts";
import { at, created, legal, type BlindClass } from "./blind.ts";

function inOperation(id: string, about: string, change: (time: string) => unknown) {
  return at.operation.fault(id, ["OPER-13", "OPER-14"], about, at.operation.shows(created(change)));
}

function inBatch(id: string, about: string, change: (time: string) => unknown) {
  return at.batch.fault(id, "BATCH-05", about, at.batch.shows(created(change)));
}

function inList(id: string, about: string, change: (time: string) => unknown) {
  return at.list.fault(id, ["BATCH-26", "BATCH-25"], about, listedBatch(created(change)));
}

/**
 * Returns a function that converts a UTC time to a zone `minutes` ahead of UTC. `zone` replaces the
 * Z at its end.
 */
function ahead(minutes: number, zone: string): (time: string) => string {
  return (time) => new Date(Date.parse(time) + minutes * 60_000).toISOString().replace("Z", zone);
}

function notPadded(time: string): string {
  return time.replace(/\.\d+/, "").replaceAll(/(?<=[-T:])0(?=\d)/g, "");
}

function noTimeWithoutOperations(batch: Json): Json {
  return (batch["operations"] as []).length === 0 ? { ...batch, created_at: null } : batch;
}

function timed(change: (time: string) => string) {
  return () => ({ timestamp: (time: Date) => change(time.toISOString()) });
}

export const dates: BlindClass = {
  faults: [
    inOperation("naive-operation", "The created_at of an operation has no zone.", (it) =>
      it.replace("Z", ""),
    ),
    at.operation.fault(
      "local-offset-operation",
      "OPER-14",
      "The created_at of an operation has the offset of Brazil.",
      at.operation.shows(created(ahead(-180, "-03:00"))),
    ),
    inBatch("space-for-t", "The created_at of a created batch has a space for the T.", (it) =>
      it.replace("T", " "),
    ),
    inList("epoch-in-list", "The created_at of listed batches is in milliseconds.", Date.parse),
    inBatch("offset-without-colon", "The created_at of a created batch ends with +0000.", (it) =>
      it.replace("Z", "+0000"),
    ),
    inOperation("two-zones", "The created_at of an operation has two zones.", (it) =>
      it.replace("Z", "+00:00Z"),
    ),
    inList("not-padded", "The created_at of listed batches has no leading zeros.", notPadded),
    at.list.fault(
      "null-in-list",
      ["BATCH-25", "BATCH-26"],
      "The created_at of a listed batch without operations is null.",
      listedBatch(noTimeWithoutOperations),
    ),
    inList("http-date-in-list", "The created_at of listed batches is a date of HTTP.", (it) =>
      new Date(it).toUTCString(),
    ),
    inOperation("zone-name", "The created_at of an operation ends with the name of a zone.", (it) =>
      it.replace("Z", "Z[UTC]"),
    ),
    inList("comma-fraction", "The fraction of a listed created_at follows a comma.", (it) =>
      it.replace(".", ","),
    ),
    inBatch("date-alone", "The created_at of a created batch is a date.", (it) => it.slice(0, 10)),
  ],
  variants: [
    legal(
      "nanoseconds",
      "Times have nine digits of fraction.",
      timed((it) => it.replace("Z", "000001Z")),
    ),
    legal(
      "unknown-local-offset",
      "Times end with -00:00.",
      timed((it) => it.replace("Z", "-00:00")),
    ),
    legal("kathmandu-batches", "Times of batches have the offset of Nepal.", (base) => ({
      timestamp: (time, kind) =>
        kind === "batch" ? ahead(345, "+05:45")(time.toISOString()) : base.timestamp(time, kind),
    })),
    legal(
      "lower-case-date",
      "The letters in times are small.",
      timed((it) => it.toLowerCase()),
    ),
    legal(
      "no-dates",
      "The created_at is left out everywhere.",
      all(
        success("createOperation", omit("created_at")),
        success("createBatch", omit("created_at")),
        listedBatch(omit("created_at")),
        batchOperation(omit("created_at")),
      ),
    ),
  ],
};

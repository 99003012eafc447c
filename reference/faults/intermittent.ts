import type { OperationName } from "../../spec/operations.ts";
import { around, instead, pause, remembering } from "../change.ts";
import { edit, omit, set } from "../edits.ts";
import type { Call, Change } from "../policy.ts";
import { crashed, rowsAnywhere, rowsOf } from "./fault.ts";
import type { Fault } from "./fault.ts";
import { refusals } from "./refusals.ts";

const every =
  (count: number) =>
  (call: Call): boolean =>
    call.nth % count === 0;

/** Answers 500 if `most` requests of an endpoint, or more, are in flight. */
const crashingConcurrent = (operation: OperationName, most: number): Change =>
  remembering(() => {
    let inFlight = 0;
    return around(async (call, next) => {
      if (call.operation !== operation) return next(call);
      inFlight += 1;
      const many = inFlight >= most;
      try {
        await pause(10);
        return many ? crashed : await next(call);
      } finally {
        inFlight -= 1;
      }
    });
  });

const row = rowsAnywhere("sometimes-");
const counterparty = rowsOf("createCounterparty", "counterparty-sometimes-");
const operation = rowsOf("createOperation", "operation-sometimes-");
const batch = rowsOf("createBatch", "batch-sometimes-");
const list = rowsOf("listBatches", "list-sometimes-");

/** Faults that show only in some requests. */
export const intermittentFaults: readonly Fault[] = [
  row("crashes", "HTTP-04", "Every ninth request gets a 500.", {
    also: Object.values(refusals).flat(),
  }).by(
    remembering(() => {
      let requests = 0;
      return instead(() => (requests += 1) % 9 === 0, crashed);
    }),
  ),
  counterparty("crashes", "HTTP-04", "Every fifth request for a counterparty gets a 500.", {
    also: refusals.counterparty,
  }).gives(crashed, every(5)),
  operation("crashes", "HTTP-04", "Every seventh request for an operation gets a 500.", {
    also: refusals.operation,
  }).gives(crashed, every(7)),
  list("crashes", "HTTP-04", "Every third request for the list gets a 500.", { also: refusals.list }).gives(
    crashed,
    every(3),
  ),
  batch("crashes", "HTTP-04", "Every fourth request for a batch gets a 500.", { also: refusals.batch }).gives(
    crashed,
    every(4),
  ),
  operation("crashes-together", "HTTP-04", "The third concurrent request for an operation gets a 500.", {
    also: refusals.operation,
  }).by(crashingConcurrent("createOperation", 3)),
  counterparty("without-id", "CPTY-01", "Every sixth counterparty has no id.").showsAt((n) => n % 6 === 0, omit("id")),
  operation("quoted", "OPER-02", "The status of every eighth operation is quoted.").showsAt(
    (n) => n % 8 === 0,
    set({ status: "quoted" }),
  ),
  operation("amount-string", "OPER-10", "The amount of every tenth operation is a string.", {
    also: ["OPER-06"],
  }).showsAt(
    (n) => n % 10 === 0,
    (body) => ({
      ...body,
      foreign_currency_amount: String(body["foreign_currency_amount"]),
    }),
  ),
  operation("time-local", "OPER-14", "The time of every fifth operation has the offset of São Paulo.").showsAt(
    (n) => n % 5 === 0,
    edit("created_at", (time: string) => time.replace("Z", "-03:00")),
  ),
  batch("id-missing", "BATCH-01", "Every third batch has no id.").showsAt((n) => n % 3 === 0, omit("id")),
];

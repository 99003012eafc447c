import type { OperationName } from "../../spec/operations.ts";
import { around, changed, pause, problem, success, without } from "../change.ts";
import type { Json } from "../change.ts";
import type { Change } from "../policy.ts";
import type { Fault } from "./fault.ts";
import { refusals } from "./refusals.ts";
import { rowsOf } from "./row.ts";

const crashed = problem(500, "Internal server error");

/** Crashes on every so manieth request of an endpoint. */
const crashingEach = (operation: OperationName, each: number): Change =>
  around(async (call, next) => (call.operation === operation && call.nth % each === 0 ? crashed : next(call)));

/** Changes every so manieth success of an endpoint. */
const each =
  (operation: OperationName, count: number, change: (body: Json) => Json): Change =>
  (base) => {
    let made = 0;
    return success(operation, (body) => ((made += 1) % count === 0 ? change(body) : body))(base);
  };

/** Crashes when so many requests of an endpoint are there at once. */
const crashingTogether =
  (operation: OperationName, together: number): Change =>
  (base) => {
    let inFlight = 0;
    return around(async (call, next) => {
      if (call.operation !== operation) return next(call);
      inFlight += 1;
      const many = inFlight >= together;
      try {
        await pause(10);
        return many ? crashed : await next(call);
      } finally {
        inFlight -= 1;
      }
    })(base);
  };

const row = rowsOf(undefined, "sometimes");
const counterparty = rowsOf("createCounterparty", "counterparty-sometimes");
const operation = rowsOf("createOperation", "operation-sometimes");
const batch = rowsOf("createBatch", "batch-sometimes");
const list = rowsOf("listBatches", "list-sometimes");

/** Faults that are there now and then. */
export const sometimesFaults: readonly Fault[] = [
  row(
    "crashes",
    "HTTP-04",
    "Every ninth request crashes, whatever it asks for.",
    (base) => {
      let asked = 0;
      return around(async (call, next) => ((asked += 1) % 9 === 0 ? crashed : next(call)))(base);
    },
    { also: Object.values(refusals).flat() },
  ),
  counterparty("crashes", "HTTP-04", "Every fifth registration crashes.", crashingEach("createCounterparty", 5), {
    also: refusals.counterparty,
  }),
  operation(
    "crashes",
    "HTTP-04",
    "Every seventh creation of an operation crashes.",
    crashingEach("createOperation", 7),
    { also: refusals.operation },
  ),
  list("crashes", "HTTP-04", "Every third list crashes.", crashingEach("listBatches", 3), { also: refusals.list }),
  batch("crashes", "HTTP-04", "Every fourth creation of a batch crashes.", crashingEach("createBatch", 4), {
    also: refusals.batch,
  }),
  operation(
    "crashes-together",
    "HTTP-04",
    "Three operations that are created at once are too many.",
    crashingTogether("createOperation", 3),
    { also: refusals.operation },
  ),
  counterparty(
    "without-id",
    "CPTY-01",
    "Every sixth counterparty has no id.",
    each("createCounterparty", 6, (body) => without(body, "id")),
  ),
  operation(
    "quoted",
    "OPER-02",
    "Every eighth operation is quoted at once.",
    each("createOperation", 8, (body) => ({ ...body, status: "quoted" })),
  ),
  operation(
    "amount-string",
    "OPER-10",
    "The amount of every tenth operation is a string.",
    each("createOperation", 10, (body) => ({
      ...body,
      foreign_currency_amount: String(body["foreign_currency_amount"]),
    })),
    { also: ["OPER-06"] },
  ),
  operation(
    "time-local",
    "OPER-14",
    "The time of every fifth operation has the offset of São Paulo.",
    each("createOperation", 5, (body) => changed(body, "created_at", (time) => String(time).replace("Z", "-03:00"))),
  ),
  batch(
    "id-missing",
    "BATCH-01",
    "Every third batch has no id.",
    each("createBatch", 3, (body) => without(body, "id")),
  ),
];

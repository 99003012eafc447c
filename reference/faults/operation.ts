import { answers, refusal, sent, succeeded, success, without } from "../change.ts";
import type { Json } from "../change.ts";
import type { Call, Change } from "../policy.ts";
import type { Fault } from "./fault.ts";
import { rowsOf } from "./row.ts";
import { shapes } from "./shapes.ts";

const row = rowsOf("createOperation", "operation");

const shows = (change: (body: Json, call: Call) => Json): Change => success("createOperation", change);
const amountOf = (call: Call): number => Number(sent(call)["currency_amount"]);
const pairOf = (call: Call): string => String(sent(call)["currency_pair"]);

/** Answers a success with another status. */
const status = (code: number, when: (call: Call) => boolean = () => true): Change =>
  answers(
    (answer, call) => call.operation === "createOperation" && succeeded(answer) && when(call),
    (answer) => ({ ...answer, status: code }),
  );

/** Differs from the second operation on. */
const afterwards =
  (change: (body: Json, call: Call) => Json): Change =>
  (base) => {
    let made = 0;
    return shows((body, call) => ((made += 1) > 1 ? change(body, call) : body))(base);
  };

const invalid = (change: (typeof shapes)[keyof typeof shapes], code: number): Change =>
  refusal("createOperation", (answer) => (answer.status === code ? change(answer) : answer));

/** Faults of what POST /corporate/operation answers, apart from banks, times and ids. */
export const operationFaults: readonly Fault[] = [
  row("created-201", "OPER-01", "A creation is answered with 201.", status(201)),
  row("created-202", "OPER-01", "A creation is answered with 202.", status(202)),
  row(
    "created-201-above-900",
    "OPER-01",
    "The creation of a large operation is answered with 202.",
    status(202, (call) => amountOf(call) > 900),
  ),

  row(
    "status-created",
    "OPER-02",
    "A new operation is created, not pending_quote.",
    shows((body) => ({ ...body, status: "created" })),
  ),
  row(
    "status-of-client",
    "OPER-02",
    "The client decides on the status.",
    shows((body, call) => ({ ...body, status: sent(call)["status"] ?? body["status"] })),
  ),
  row(
    "batch-of-client",
    "OPER-03",
    "The client decides on the batch.",
    shows((body, call) => ({ ...body, batch_id: sent(call)["batch_id"] ?? body["batch_id"] })),
  ),
  row(
    "status-upper-case",
    "OPER-02",
    "The status is in capitals.",
    shows((body) => ({ ...body, status: "PENDING_QUOTE" })),
  ),
  row(
    "status-hyphen",
    "OPER-02",
    "The status has a hyphen.",
    shows((body) => ({ ...body, status: "pending-quote" })),
  ),
  row(
    "status-missing",
    "OPER-02",
    "The status is missing.",
    shows((body) => without(body, "status")),
  ),
  row(
    "status-null",
    "OPER-02",
    "The status is null.",
    shows((body) => ({ ...body, status: null })),
    { also: ["OPER-10"] },
  ),
  row(
    "status-quoted-later",
    "OPER-02",
    "From the second operation of a counterparty on the status is quoted.",
    (base) => {
      const seen = new Set<unknown>();
      return shows((body, call) => {
        const known = seen.has(sent(call)["counterparty_id"]);
        seen.add(sent(call)["counterparty_id"]);
        return known ? { ...body, status: "quoted" } : body;
      })(base);
    },
  ),
  row(
    "status-for-other-purposes",
    "OPER-02",
    "Operations that are not EFX begin as approved.",
    shows((body, call) => (sent(call)["operation_purpose"] === "EFX" ? body : { ...body, status: "approved" })),
    { needs: { otherPurposes: true } },
  ),

  row(
    "batch-set",
    "OPER-03",
    "A new operation is in a batch of its own.",
    shows((body) => ({ ...body, batch_id: `b-${String(body["operation_id"])}` })),
  ),
  row(
    "batch-empty-text",
    "OPER-03",
    "The batch_id is an empty string.",
    shows((body) => ({ ...body, batch_id: "" })),
  ),
  row(
    "batch-zero",
    "OPER-03",
    "The batch_id is 0.",
    shows((body) => ({ ...body, batch_id: 0 })),
    { also: ["OPER-10"] },
  ),
  row(
    "batch-joined",
    "OPER-03",
    "A new operation joins the newest batch of its pair, where there is one.",
    shows((body, call) => {
      const batch = call.store.batches.findLast(({ pair }) => pair === pairOf(call));
      return batch ? { ...body, batch_id: batch.id } : body;
    }),
  ),
  row(
    "batch-absent",
    "OPER-04",
    "The batch_id is left out.",
    shows((body) => without(body, "batch_id")),
  ),

  row(
    "id-missing",
    "OPER-05",
    "The operation_id is missing.",
    shows((body) => without(body, "operation_id")),
  ),
  row(
    "id-null",
    "OPER-05",
    "The operation_id is null.",
    shows((body) => ({ ...body, operation_id: null })),
    { also: ["OPER-10"] },
  ),
  row(
    "id-renamed",
    "OPER-05",
    "The operation_id is called id.",
    shows((body) => ({ ...without(body, "operation_id"), id: body["operation_id"] })),
  ),
  row(
    "id-missing-later",
    "OPER-05",
    "From the second operation on the operation_id is missing.",
    afterwards((body) => without(body, "operation_id")),
  ),
  row(
    "id-number",
    "OPER-05",
    "The operation_id is a number.",
    (base) => {
      let last = 0;
      return {
        ...shows((body) => ({ ...body, operation_id: Number(body["operation_id"]) }))(base),
        newId: (kind, call) => (kind === "operation" ? String((last += 1)) : base.newId(kind, call)),
      };
    },
    { also: ["OPER-10"] },
  ),

  row(
    "customer-null",
    "OPER-10",
    "The customer is null.",
    shows((body) => ({ ...body, customer_id: null })),
  ),
  row(
    "customer-number",
    "OPER-10",
    "The customer is a number.",
    shows((body) => ({ ...body, customer_id: 12 })),
  ),
  row(
    "customer-null-later",
    "OPER-10",
    "From the second operation on the customer is null.",
    afterwards((body) => ({ ...body, customer_id: null })),
  ),

  row(
    "invalid-error-renamed",
    "OPER-17",
    "An invalid request is answered with { error }.",
    invalid(shapes.renamed, 400),
  ),
  row("invalid-error-list", "OPER-17", "The message for an invalid request is a list.", invalid(shapes.list, 400)),
  row(
    "invalid-error-number",
    "OPER-17",
    "The message for an invalid request is a number.",
    invalid(shapes.number, 400),
  ),
  row(
    "token-error-nested",
    "OPER-17",
    "A bad token is answered with { error: { message } }.",
    invalid(shapes.nested, 401),
  ),
  row(
    "malformed-error-string",
    "OPER-17",
    "Malformed JSON is answered with a string.",
    refusal("createOperation", (answer) => (answer.refusal === "malformed" ? shapes.string(answer) : answer)),
  ),
];

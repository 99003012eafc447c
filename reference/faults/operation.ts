import { answers, remembering, sent, success, successOf } from "../change.ts";
import { omit, rename, set } from "../edits.ts";
import type { Json } from "../edits.ts";
import type { Answer, Call, Change } from "../policy.ts";
import { shapes } from "./error-shapes.ts";
import { later, rowsOf } from "./fault.ts";
import type { Fault } from "./fault.ts";
import { numberIds } from "../ids.ts";

const row = rowsOf("createOperation", "operation-");

/** Gives successes another status. */
const status = (code: number, when: (call: Call) => boolean = () => true): Change =>
  answers((answer, call) => successOf("createOperation")(answer, call) && when(call), set({ status: code }));

/** Changes the error for every invalid request. */
const invalid = (shape: (answer: Answer) => Answer): Change =>
  answers((answer, call) => call.operation === "createOperation" && answer.status === 400, shape);

/** Shows the value that the client sent for a member which the server should decide. */
const byClient = (member: string) => (body: Json, call: Call) => ({
  ...body,
  [member]: sent(call)[member] ?? body[member],
});

const alsoType = { also: ["OPER-10"] } as const;

/** Faults of the response of POST /corporate/operation, apart from banks, times and repeated members. */
export const operationFaults: readonly Fault[] = [
  row("created-201", "OPER-01", "A new operation has status code 201.").by(status(201)),
  row("created-202", "OPER-01", "A new operation has status code 202.").by(status(202)),
  row("created-201-above-900", "OPER-01", "A new operation above 900 has status code 202.").by(
    status(202, (call) => Number(sent(call)["currency_amount"]) > 900),
  ),

  row("status-created", "OPER-02", "The status of a new operation is created.").shows(set({ status: "created" })),
  row("status-of-client", "OPER-02", "The status is the one that the client sends.").shows(byClient("status")),
  row("batch-of-client", "OPER-03", "The batch_id is the one that the client sends.").shows(byClient("batch_id")),
  row("status-upper-case", "OPER-02", "The status is in upper case.").shows(set({ status: "PENDING_QUOTE" })),
  row("status-hyphen", "OPER-02", "The status has a hyphen.").shows(set({ status: "pending-quote" })),
  row("status-missing", "OPER-02", "The status is missing.").shows(omit("status")),
  row("status-null", "OPER-02", "The status is null.", alsoType).shows(set({ status: null })),
  row("status-quoted-later", "OPER-02", "From the second operation of a counterparty on, the status is quoted.").by(
    remembering(() => {
      const seen = new Set<unknown>();
      return success("createOperation", (body, call) => {
        const known = seen.has(sent(call)["counterparty_id"]);
        seen.add(sent(call)["counterparty_id"]);
        return known ? { ...body, status: "quoted" } : body;
      });
    }),
  ),
  row("status-for-other-purposes", "OPER-02", "The status of operations with other purposes than EFX is approved.", {
    needs: { otherPurposes: true },
  }).shows((body, call) => (sent(call)["operation_purpose"] === "EFX" ? body : { ...body, status: "approved" })),

  row("batch-set", "OPER-03", "A new operation is in a batch of its own.").shows((body) => ({
    ...body,
    batch_id: `b-${String(body["operation_id"])}`,
  })),
  row("batch-empty-text", "OPER-03", "The batch_id is an empty string.").shows(set({ batch_id: "" })),
  row("batch-zero", "OPER-03", "The batch_id is 0.", alsoType).shows(set({ batch_id: 0 })),
  row("batch-joined", "OPER-03", "A new operation is in the newest batch of its pair.").shows((body, call) => {
    const batch = call.store.batches.findLast(({ pair }) => pair === sent(call)["currency_pair"]);
    return batch ? { ...body, batch_id: batch.id } : body;
  }),
  row("batch-absent", "OPER-04", "The batch_id is left out.").shows(omit("batch_id")),

  row("id-missing", "OPER-05", "The operation_id is missing.").shows(omit("operation_id")),
  row("id-null", "OPER-05", "The operation_id is null.", alsoType).shows(set({ operation_id: null })),
  row("id-renamed", "OPER-05", "The operation_id is called id.").shows(rename("operation_id", "id")),
  row("id-missing-later", "OPER-05", "From the second operation on, the operation_id is missing.").showsAt(
    later,
    omit("operation_id"),
  ),
  row("id-number", "OPER-05", "The operation_id is a number.", alsoType).by(numberIds("operation", "operation_id")),

  row("customer-null", "OPER-10", "The customer_id is null.").shows(set({ customer_id: null })),
  row("customer-number", "OPER-10", "The customer_id is a number.").shows(set({ customer_id: 12 })),
  row("customer-null-later", "OPER-10", "From the second operation on, the customer_id is null.").showsAt(
    later,
    set({ customer_id: null }),
  ),

  row("invalid-error-renamed", "OPER-17", "The error for an invalid request has the shape { error }.").by(
    invalid(shapes.renamed),
  ),
  row("invalid-error-list", "OPER-17", "The message for an invalid request is an array.").by(invalid(shapes.list)),
  row("invalid-error-number", "OPER-17", "The message for an invalid request is a number.").by(invalid(shapes.number)),
  row("token-error-nested", "OPER-17", "The error for a bad token has the shape { error: { message } }.").refuses(
    shapes.nested,
    "token",
  ),
  row("malformed-error-string", "OPER-17", "The error for malformed JSON is a string.").refuses(
    shapes.string,
    "malformed",
  ),
];

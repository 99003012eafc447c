import {
  answers,
  edit,
  insteadOfEach,
  omit,
  problem,
  remembering,
  repeated,
  sent,
  set,
  successOf,
  type Json,
} from "../change.ts";
import { itemAdded } from "../endpoints.ts";
import { withPurposes } from "../faults/fault.ts";
import type { Call, Change, RefusalReason } from "../policy.ts";
import { anywhere, at, crash, legal, type BlindClass } from "./blind.ts";

/**
 * After the first success of the ACAM endpoint, accepts items that should be refused for this
 * reason.
 */
function offAfterFirstItem(reason: RefusalReason): Change {
  return remembering(() => {
    let isOff = false;
    return answers(
      (_answer, { operation }) => operation === "addAcamItem",
      (answer) => {
        if (answer.status === 200) isOff = true;
        return isOff && answer.refusal === reason ? itemAdded : answer;
      },
    );
  });
}

/**
 * The body of an operation, as if the operation were in the first batch of its pair. Unchanged if
 * there is no such batch.
 */
function inOpenBatch(body: Json, { store }: Call): Json {
  const open = store.batches.find(({ pair }) => pair === body["currency_pair"]);
  return open === undefined ? body : { ...body, batch_id: open.id };
}

const byFirstOperation: Change = ({ findOperation }) => ({
  findOperation: (id, call) => {
    const operation = findOperation(id, call);
    const payee = operation?.counterparty.id;
    const all = [...call.store.operations.values()];
    return operation && all.find(({ counterparty }) => counterparty.id === payee);
  },
});

function accountWithIban(account: Json): Json {
  return account["iban"] === undefined ? account : omit("account_number")(account);
}

function itemAbove({ operation, parameter, store, body }: Call): boolean {
  const limit = store.operations.get(parameter)?.amount ?? Infinity;
  return operation === "addAcamItem" && Number((body as Json)["local_currency_amount"]) > limit;
}

export const state: BlindClass = {
  faults: [
    at.acam.fault(
      "rule-off-after-first-item",
      ["ACAM-03", "ACAM-05"],
      "Once an item was added, purposes are no longer looked at.",
      offAfterFirstItem("purpose"),
      withPurposes,
    ),
    at.acam.fault(
      "unknown-taken-after-first-item",
      "ACAM-04",
      "Once an item was added, unknown operations are taken.",
      offAfterFirstItem("operation"),
    ),
    at.operation.fault(
      "second-operation-quoted",
      "OPER-02",
      "The second operation of a counterparty is quoted at once.",
      repeated(
        successOf("createOperation"),
        (call) => sent(call)["counterparty_id"],
        (answer) => ({ ...answer, body: { ...(answer.body as Json), status: "quoted" } }),
      ),
    ),
    at.operation.fault(
      "put-into-open-batch",
      "OPER-03",
      "An operation is put into the batch that exists for its pair.",
      at.operation.shows(inOpenBatch),
    ),
    at.operation.fault(
      "large-needs-review",
      "OPER-02",
      "An operation from 10,000 on waits for a review.",
      at.operation.shows((body) =>
        Number(body["foreign_currency_amount"]) >= 10_000
          ? { ...body, status: "pending_review" }
          : body,
      ),
    ),
    at.operation.fault(
      "account-lost-with-iban",
      "OPER-11",
      "A bank account with an IBAN shows no account number.",
      at.operation.shows(edit("bank_account", accountWithIban)),
    ),
    at.batch.fault(
      "second-batch-without-id",
      ["BATCH-01", "BATCH-02"],
      "A second batch of a pair is a 200 with a message alone.",
      repeated(
        successOf("createBatch"),
        (call) => sent(call)["currency_pair"],
        (answer) => ({ ...answer, body: { message: "The batch exists already" } }),
      ),
    ),
    at.acam.fault(
      "rule-by-first-operation",
      ["ACAM-05", "ACAM-03"],
      "The rule looks at the first operation of the counterparty.",
      byFirstOperation,
      withPurposes,
    ),
    anywhere.fault(
      "every-fiftieth-500",
      "HTTP-04",
      "Every fiftieth request gets a 500.",
      insteadOfEach(50, crash),
    ),
  ],
  variants: [
    legal(
      "one-item-only",
      "A second ACAM item gets a 409.",
      repeated(
        successOf("addAcamItem"),
        ({ parameter }) => parameter,
        () => problem(409, "This operation has its item"),
      ),
    ),
    legal(
      "acam-within-amount",
      "An ACAM amount above that of the operation gets a 422.",
      answers(
        (answer, call) => answer.status === 200 && itemAbove(call),
        () => problem(422, "The amount is above that of the operation"),
      ),
    ),
    legal(
      "operation-of-known-payee-only",
      "An unknown counterparty gets a 404.",
      answers(({ refusal }) => refusal === "counterparty", set({ status: 404 })),
    ),
  ],
};

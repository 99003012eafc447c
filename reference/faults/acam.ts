import { answers, problem, refusal, sent, success, without } from "../change.ts";
import type { Json } from "../change.ts";
import { Refusal } from "../refusal.ts";
import type { RefusalReason } from "../refusal.ts";
import type { Answer, Call, Change } from "../policy.ts";
import type { Operation } from "../store.ts";
import type { Fault } from "./fault.ts";
import { rowsOf } from "./row.ts";
import { shapes } from "./shapes.ts";

const row = rowsOf("addAcamItem", "acam");

const shows = (change: (body: Json, call: Call) => unknown): Change => success("addAcamItem", change);
const message = (text: unknown): Change => shows((body) => ({ ...body, message: text }));
const status = (text: unknown): Change => shows((body) => ({ ...body, status: text }));

const refused = (reason: RefusalReason, change: (answer: Answer) => Answer): Change =>
  refusal("addAcamItem", (answer) => (answer.refusal === reason ? change(answer) : answer));

const granted = { status: 200, headers: {}, body: { message: "ACAM item added successfully", status: "success" } };

/** Goes by the purpose of another operation than the one that the path names. */
const judging =
  (other: (named: Operation, call: Call) => Operation | undefined): Change =>
  (base) => ({
    findOperation: (id, call) => {
      const named = base.findOperation(id, call);
      return call.operation === "addAcamItem" && named ? other(named, call) : named;
    },
  });

/** Takes items for some operations whatever their purpose. */
const takingWhere =
  (isTaken: (named: Operation, call: Call) => boolean): Change =>
  (base) =>
    refusal("addAcamItem", (answer, call) => {
      const named = answer.refusal === "purpose" ? base.findOperation(call.parameter, call) : undefined;
      return named !== undefined && isTaken(named, call) ? granted : answer;
    })(base);

const needs = { otherPurposes: true } as const;

/** Faults of POST /corporate/operation/{operation_id}/acam. */
export const acamFaults: readonly Fault[] = [
  row("message-full-stop", "ACAM-01", "The message ends with a full stop.", message("ACAM item added successfully.")),
  row("message-small-letter", "ACAM-01", "The message is in small letters.", message("acam item added successfully")),
  row("message-padded", "ACAM-01", "The message ends with a space.", message("ACAM item added successfully ")),
  row("message-translated", "ACAM-01", "The message is in Portuguese.", message("Item ACAM adicionado com sucesso")),
  row("message-shortened", "ACAM-01", "The message says less.", message("ACAM item added")),
  row(
    "message-missing",
    "ACAM-01",
    "The message is missing.",
    shows((body) => without(body, "message")),
  ),
  row("message-null", "ACAM-01", "The message is null.", message(null)),
  row(
    "message-error",
    "ACAM-01",
    "A success is a 200 that says error.",
    shows(() => ({ message: "error" })),
    { also: ["ACAM-02"] },
  ),
  row(
    "message-beyond-ascii",
    "ACAM-01",
    "The message is another where the merchant's name has letters beyond ASCII.",
    shows((body, call) =>
      /[^\x00-\x7f]/.test(String(sent(call)["merchant"])) ? { ...body, message: "Item added" } : body,
    ),
  ),
  row("message-later", "ACAM-01", "From the second item on the message is another.", (base) => {
    let made = 0;
    return shows((body) => ((made += 1) > 1 ? { ...body, message: "ACAM items added successfully" } : body))(base);
  }),
  row("message-third-item", "ACAM-01", "The message of an operation's third item is another.", (base) =>
    shows((body, call) =>
      (base.findOperation(call.parameter, call)?.items ?? 0) > 2 ? { ...body, message: "ACAM item updated" } : body,
    )(base),
  ),
  row(
    "status-of-second-pair",
    "ACAM-02",
    "The status of an item for an operation in euros is in capitals.",
    (base) =>
      shows((body, call) =>
        base.findOperation(call.parameter, call)?.pair === "EURBRL" ? { ...body, status: "SUCCESS" } : body,
      )(base),
    { needs: { pairs: true } },
  ),
  row("status-capital", "ACAM-02", "The status begins with a capital.", status("Success")),
  row("status-upper-case", "ACAM-02", "The status is in capitals.", status("SUCCESS")),
  row("status-ok", "ACAM-02", "The status is ok.", status("ok")),
  row("status-true", "ACAM-02", "The status is true.", status(true)),
  row("status-code", "ACAM-02", "The status is 200.", status(200)),
  row(
    "status-missing",
    "ACAM-02",
    "The status is missing.",
    shows((body) => without(body, "status")),
  ),

  row(
    "any-purpose",
    "ACAM-03",
    "Operations of any purpose take items.",
    refused("purpose", () => granted),
    { needs, also: ["ACAM-05"] },
  ),
  row(
    "purpose-refused-with-200",
    "ACAM-03",
    "That the purpose is not EFX is told in the body of a 200.",
    refused("purpose", (answer) => ({ ...answer, status: 200 })),
    {
      needs,
      also: ["ACAM-01", "ACAM-02", "ACAM-05"],
    },
  ),
  row(
    "any-purpose-second-time",
    "ACAM-03",
    "Operations of any purpose take the item that was refused once.",
    (base) => {
      const asked = new Set<string>();
      return refusal("addAcamItem", (answer, call) => {
        if (answer.refusal !== "purpose" || asked.has(call.parameter))
          return answer.refusal === "purpose" ? granted : answer;
        asked.add(call.parameter);
        return answer;
      })(base);
    },
    { needs },
  ),
  row(
    "any-purpose-above-500",
    "ACAM-03",
    "Operations of any purpose take items when they are above 500.",
    takingWhere(({ amount }) => amount > 500),
    { needs, also: ["ACAM-05"] },
  ),
  row(
    "any-purpose-above-990",
    "ACAM-03",
    "Operations of any purpose take items when they are above 990.",
    takingWhere(({ amount }) => amount > 990),
    { needs },
  ),
  row(
    "any-purpose-for-parts",
    "ACAM-03",
    "Operations of any purpose take items of less than half of their amount.",
    takingWhere(({ amount }, call) => Number(sent(call)["local_currency_amount"]) < amount / 2),
    { needs },
  ),
  row(
    "any-purpose-without-efx",
    "ACAM-03",
    "The purpose is looked at where the counterparty has an EFX operation, and nowhere else.",
    takingWhere(
      (named, call) =>
        ![...call.store.operations.values()].some(
          ({ counterparty, purpose }) => counterparty.id === named.counterparty.id && purpose === "EFX",
        ),
    ),
    { needs },
  ),
  row(
    "property-for-operation",
    "ACAM-04",
    "Operations are looked up as properties of an object, of which each has a few from the start.",
    refusal("addAcamItem", (answer, call) =>
      answer.refusal === "operation" && call.parameter in Object.prototype ? granted : answer,
    ),
  ),
  row(
    "unknown-operation",
    "ACAM-04",
    "Operations that do not exist take items.",
    refused("operation", () => granted),
  ),
  row(
    "unknown-operation-of-own-shape",
    "ACAM-04",
    "Operations that do not exist take items if their ids look right.",
    (base) => {
      const looksRight = /^(?!0{8})[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
      return refusal("addAcamItem", (answer, call) =>
        answer.refusal === "operation" && looksRight.test(call.parameter) ? granted : answer,
      )(base);
    },
  ),
  row(
    "unknown-operation-200",
    "ACAM-04",
    "That there is no such operation is told in the body of a 200.",
    refused("operation", (answer) => ({ ...answer, status: 200 })),
    {
      also: ["ACAM-01", "ACAM-02"],
    },
  ),

  row(
    "newest-operation",
    "ACAM-05",
    "The rule goes by the operation that was created last.",
    judging((_named, call) => [...call.store.operations.values()].at(-1)),
    { needs, also: ["ACAM-03"] },
  ),
  row(
    "first-operation",
    "ACAM-05",
    "The rule goes by the first operation of the counterparty.",
    judging((named, call) =>
      [...call.store.operations.values()].find(({ counterparty }) => counterparty.id === named.counterparty.id),
    ),
    { needs, also: ["ACAM-03"] },
  ),
  row(
    "newest-of-counterparty",
    "ACAM-05",
    "The rule goes by the last operation of the counterparty.",
    judging((named, call) =>
      [...call.store.operations.values()].findLast(({ counterparty }) => counterparty.id === named.counterparty.id),
    ),
    { needs, also: ["ACAM-03"] },
  ),
  row(
    "after-item",
    "ACAM-05",
    "A counterparty with one item takes items for all its operations.",
    (base) => {
      const known = new Set<string>();
      return {
        check: (call) => {
          const named = call.operation === "addAcamItem" ? base.findOperation(call.parameter, call) : undefined;
          try {
            base.check(call);
          } catch (error) {
            const purpose = error instanceof Refusal && error.reason === "purpose";
            if (!purpose || !named || !known.has(named.counterparty.id)) throw error;
          }
          if (named) known.add(named.counterparty.id);
        },
      };
    },
    { needs, also: ["ACAM-03"] },
  ),
  row(
    "after-batch",
    "ACAM-05",
    "An operation that is in a batch takes items, whatever its purpose.",
    judging((named) => (named.batch === null ? named : { ...named, purpose: "EFX" })),
    { needs, also: ["ACAM-03"] },
  ),

  row("error-renamed", "ACAM-06", "Refusals are { error }.", refusal("addAcamItem", shapes.renamed)),
  row(
    "purpose-error-code",
    "ACAM-06",
    "A purpose that is not EFX is answered with a code alone.",
    refused("purpose", () => ({ status: 409, headers: {}, body: { code: "NOT_EFX" } })),
    { needs },
  ),
  row(
    "unknown-error-empty",
    "ACAM-06",
    "An operation that does not exist is answered with {}.",
    refused("operation", shapes.empty),
  ),
  row(
    "invalid-error-object",
    "ACAM-06",
    "The message for an invalid item is an object.",
    refused("invalid", shapes.object),
  ),
  row("token-error-array", "ACAM-06", "A bad token is answered with a list.", refused("token", shapes.array)),
  row("second-item-500", "HTTP-04", "A second item crashes the endpoint.", (base) =>
    answers(
      (answer, call) => answer.status === 200 && call.operation === "addAcamItem" && itemsOf(call) > 1,
      () => problem(500, "The item is there already"),
    )(base),
  ),
];

const itemsOf = (call: Call): number => call.store.operations.get(call.parameter)?.items ?? 0;

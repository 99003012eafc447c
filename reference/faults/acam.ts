import { answers, problem, refusalOf, remembering, sent } from "../change.ts";
import { omit, set } from "../edits.ts";
import type { Answer, Call, Change } from "../policy.ts";
import { Refusal } from "../refusal.ts";
import type { Operation } from "../store.ts";
import { shapes } from "./error-shapes.ts";
import { later, rowsOf } from "./fault.ts";
import type { Fault } from "./fault.ts";

const row = rowsOf("addAcamItem", "acam-");

const granted: Answer = {
  status: 200,
  headers: {},
  body: { message: "ACAM item added successfully", status: "success" },
};
const grant = () => granted;
const in200 = set({ status: 200 });

/** Goes by the purpose of another operation than the one that the path names. */
const judging =
  (other: (named: Operation, all: readonly Operation[]) => Operation | undefined): Change =>
  (base) => ({
    findOperation: (id, call) => {
      const named = base.findOperation(id, call);
      return call.operation === "addAcamItem" && named ? other(named, [...call.store.operations.values()]) : named;
    },
  });

/** Takes items for some operations whatever their purpose. */
const takingWhere =
  (isTaken: (named: Operation, call: Call) => boolean): Change =>
  (base) =>
    answers(refusalOf("addAcamItem", "purpose"), (answer, call) => {
      const named = base.findOperation(call.parameter, call);
      return named !== undefined && isTaken(named, call) ? granted : answer;
    })(base);

const isOfSame =
  (named: Operation) =>
  ({ counterparty }: Operation): boolean =>
    counterparty.id === named.counterparty.id;

const itemsOf = (call: Call): number => call.store.operations.get(call.parameter)?.items ?? 0;

const needs = { otherPurposes: true } as const;
const alsoOther = { needs, also: ["ACAM-05"] } as const;
const alsoAny = { needs, also: ["ACAM-03"] } as const;

/** Faults of POST /corporate/operation/{operation_id}/acam. */
export const acamFaults: readonly Fault[] = [
  ...(
    [
      ["full-stop", "The message ends with a full stop.", "ACAM item added successfully."],
      ["small-letter", "The message is in small letters.", "acam item added successfully"],
      ["padded", "The message ends with a space.", "ACAM item added successfully "],
      ["translated", "The message is in Portuguese.", "Item ACAM adicionado com sucesso"],
      ["shortened", "The message says less.", "ACAM item added"],
    ] as const
  ).map(([id, about, message]) => row(`message-${id}`, "ACAM-01", about).shows(set({ message }))),
  row("message-missing", "ACAM-01", "The message is missing.").shows(omit("message")),
  row("message-null", "ACAM-01", "The message is null.").shows(set({ message: null })),
  row("message-error", "ACAM-01", "A success is a 200 that says error.", { also: ["ACAM-02"] }).shows(() => ({
    message: "error",
  })),
  row("message-beyond-ascii", "ACAM-01", "The message is another where the merchant has letters beyond ASCII.").shows(
    (body, call) => (/[^\x00-\x7f]/.test(String(sent(call)["merchant"])) ? { ...body, message: "Item added" } : body),
  ),
  row("message-later", "ACAM-01", "From the second item on the message is another.").showsAt(
    later,
    set({ message: "ACAM items added successfully" }),
  ),
  row("message-third-item", "ACAM-01", "The message of an operation's third item is another.").shows((body, call) =>
    itemsOf(call) > 2 ? { ...body, message: "ACAM item updated" } : body,
  ),
  row("status-of-second-pair", "ACAM-02", "The status of an item for an operation in euros is in capitals.", {
    needs: { pairs: true },
  }).shows((body, call) =>
    call.store.operations.get(call.parameter)?.pair === "EURBRL" ? { ...body, status: "SUCCESS" } : body,
  ),
  row("status-capital", "ACAM-02", "The status begins with a capital.").shows(set({ status: "Success" })),
  row("status-upper-case", "ACAM-02", "The status is in capitals.").shows(set({ status: "SUCCESS" })),
  row("status-ok", "ACAM-02", "The status is ok.").shows(set({ status: "ok" })),
  row("status-true", "ACAM-02", "The status is true.").shows(set({ status: true })),
  row("status-code", "ACAM-02", "The status is 200.").shows(set({ status: 200 })),
  row("status-missing", "ACAM-02", "The status is missing.").shows(omit("status")),

  row("any-purpose", "ACAM-03", "Operations of any purpose take items.", alsoOther).refuses(grant, "purpose"),
  row("purpose-refused-with-200", "ACAM-03", "That the purpose is not EFX is reported in the body of a 200.", {
    needs,
    also: ["ACAM-01", "ACAM-02", "ACAM-05"],
  }).refuses(in200, "purpose"),
  row("any-purpose-second-time", "ACAM-03", "Operations of any purpose take the item that was refused once.", {
    needs,
  }).by(
    remembering(() => {
      const refused = new Set<string>();
      return answers(refusalOf("addAcamItem", "purpose"), (answer, call) => {
        if (refused.has(call.parameter)) return granted;
        refused.add(call.parameter);
        return answer;
      });
    }),
  ),
  row("any-purpose-above-500", "ACAM-03", "Operations above 500 take items whatever their purpose.", alsoOther).by(
    takingWhere(({ amount }) => amount > 500),
  ),
  row("any-purpose-above-990", "ACAM-03", "Operations above 990 take items whatever their purpose.", { needs }).by(
    takingWhere(({ amount }) => amount > 990),
  ),
  row("any-purpose-for-parts", "ACAM-03", "Items of less than half an operation pass for any purpose.", { needs }).by(
    takingWhere(({ amount }, call) => Number(sent(call)["local_currency_amount"]) < amount / 2),
  ),
  row("any-purpose-without-efx", "ACAM-03", "The purpose counts only where the counterparty has an EFX operation.", {
    needs,
  }).by(
    takingWhere(
      (named, call) =>
        ![...call.store.operations.values()].filter(isOfSame(named)).some(({ purpose }) => purpose === "EFX"),
    ),
  ),
  row("property-for-operation", "ACAM-04", "Operations are looked up as properties of a plain object.").refuses(
    (answer, call) => (call.parameter in Object.prototype ? granted : answer),
    "operation",
  ),
  row("unknown-operation", "ACAM-04", "Operations that do not exist take items.").refuses(grant, "operation"),
  row("unknown-operation-of-own-shape", "ACAM-04", "Unknown operations take items if their ids look right.").refuses(
    (answer, call) => (/^(?!0{8})[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(call.parameter) ? granted : answer),
    "operation",
  ),
  row("unknown-operation-200", "ACAM-04", "That there is no such operation is reported in the body of a 200.", {
    also: ["ACAM-01", "ACAM-02"],
  }).refuses(in200, "operation"),

  row("newest-operation", "ACAM-05", "The rule goes by the operation that was created last.", alsoAny).by(
    judging((_named, all) => all.at(-1)),
  ),
  row("first-operation", "ACAM-05", "The rule goes by the first operation of the counterparty.", alsoAny).by(
    judging((named, all) => all.find(isOfSame(named))),
  ),
  row("newest-of-counterparty", "ACAM-05", "The rule goes by the last operation of the counterparty.", alsoAny).by(
    judging((named, all) => all.findLast(isOfSame(named))),
  ),
  row("after-item", "ACAM-05", "A counterparty with one item takes items for all its operations.", alsoAny).by(
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
  ),
  row("after-batch", "ACAM-05", "An operation that is in a batch takes items, whatever its purpose.", alsoAny).by(
    judging((named) => (named.batch === null ? named : { ...named, purpose: "EFX" })),
  ),

  row("error-renamed", "ACAM-06", "Refusals are { error }.").refuses(shapes.renamed),
  row("purpose-error-code", "ACAM-06", "A purpose that is not EFX is answered with a code alone.", { needs }).refuses(
    () => ({ status: 409, headers: {}, body: { code: "NOT_EFX" } }),
    "purpose",
  ),
  row("unknown-error-empty", "ACAM-06", "An unknown operation is answered with {}.").refuses(shapes.empty, "operation"),
  row("invalid-error-object", "ACAM-06", "The message for an invalid item is an object.").refuses(
    shapes.object,
    "invalid",
  ),
  row("token-error-array", "ACAM-06", "A bad token is answered with a list.").refuses(shapes.array, "token"),
  row("second-item-500", "HTTP-04", "A second item crashes the endpoint.").by(
    answers(
      ({ status }, call) => status === 200 && call.operation === "addAcamItem" && itemsOf(call) > 1,
      () => problem(500, "The item is there already"),
    ),
  ),
];

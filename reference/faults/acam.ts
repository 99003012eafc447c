import { answers, problem, refusalOf, remembering, sent } from "../change.ts";
import { omit, set } from "../edits.ts";
import { itemAdded } from "../endpoints.ts";
import type { Call, Change } from "../policy.ts";
import { Refusal } from "../refusal.ts";
import type { Operation } from "../store.ts";
import { shapes } from "./error-shapes.ts";
import { later, rowsOf } from "./fault.ts";
import type { Fault } from "./fault.ts";

const row = rowsOf("addAcamItem", "acam-");

const grant = () => itemAdded;
const in200 = set({ status: 200 });

/** Checks the purpose of another operation than the one in the path. */
const judging =
  (other: (named: Operation, all: readonly Operation[]) => Operation | undefined): Change =>
  (base) => ({
    findOperation: (id, call) => {
      const named = base.findOperation(id, call);
      return call.operation === "addAcamItem" && named ? other(named, [...call.store.operations.values()]) : named;
    },
  });

/** Accepts items of some operations for any purpose. */
const takingWhere =
  (isTaken: (named: Operation, call: Call) => boolean): Change =>
  (base) =>
    answers(refusalOf("addAcamItem", "purpose"), (answer, call) => {
      const named = base.findOperation(call.parameter, call);
      return named !== undefined && isTaken(named, call) ? itemAdded : answer;
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
      ["small-letter", "The message is in lower case.", "acam item added successfully"],
      ["padded", "The message ends with a space.", "ACAM item added successfully "],
      ["translated", "The message is in Portuguese.", "Item ACAM adicionado com sucesso"],
      ["shortened", "The message is shortened.", "ACAM item added"],
    ] as const
  ).map(([id, about, message]) => row(`message-${id}`, "ACAM-01", about).shows(set({ message }))),
  row("message-missing", "ACAM-01", "The message is missing.").shows(omit("message")),
  row("message-null", "ACAM-01", "The message is null.").shows(set({ message: null })),
  row("message-error", "ACAM-01", "A success has the message error and no status.", { also: ["ACAM-02"] }).shows(
    () => ({
      message: "error",
    }),
  ),
  row("message-beyond-ascii", "ACAM-01", "The message is different if the merchant has non-ASCII characters.").shows(
    (body, call) => (/[^\x00-\x7f]/.test(String(sent(call)["merchant"])) ? { ...body, message: "Item added" } : body),
  ),
  row("message-later", "ACAM-01", "From the second item on, the message is different.").showsAt(
    later,
    set({ message: "ACAM items added successfully" }),
  ),
  row("message-third-item", "ACAM-01", "The message for the third item of an operation is different.").shows(
    (body, call) => (itemsOf(call) > 2 ? { ...body, message: "ACAM item updated" } : body),
  ),
  row("status-of-second-pair", "ACAM-02", "The status is in upper case if the operation is in EURBRL.", {
    needs: { pairs: true },
  }).shows((body, call) =>
    call.store.operations.get(call.parameter)?.pair === "EURBRL" ? { ...body, status: "SUCCESS" } : body,
  ),
  row("status-capital", "ACAM-02", "The status begins with a capital letter.").shows(set({ status: "Success" })),
  row("status-upper-case", "ACAM-02", "The status is in upper case.").shows(set({ status: "SUCCESS" })),
  row("status-ok", "ACAM-02", "The status is ok.").shows(set({ status: "ok" })),
  row("status-true", "ACAM-02", "The status is true.").shows(set({ status: true })),
  row("status-code", "ACAM-02", "The status is 200.").shows(set({ status: 200 })),
  row("status-missing", "ACAM-02", "The status is missing.").shows(omit("status")),

  row("any-purpose", "ACAM-03", "Operations of any purpose accept items.", alsoOther).refuses(grant, "purpose"),
  row("purpose-refused-with-200", "ACAM-03", "A purpose other than EFX is refused with status 200.", {
    needs,
    also: ["ACAM-01", "ACAM-02", "ACAM-05"],
  }).refuses(in200, "purpose"),
  row("any-purpose-second-time", "ACAM-03", "An item that was refused for the purpose is accepted the second time.", {
    needs,
  }).by(
    remembering(() => {
      const refused = new Set<string>();
      return answers(refusalOf("addAcamItem", "purpose"), (answer, call) => {
        if (refused.has(call.parameter)) return itemAdded;
        refused.add(call.parameter);
        return answer;
      });
    }),
  ),
  row("any-purpose-above-500", "ACAM-03", "Operations above 500 accept items for any purpose.", alsoOther).by(
    takingWhere(({ amount }) => amount > 500),
  ),
  row("any-purpose-above-990", "ACAM-03", "Operations above 990 accept items for any purpose.", { needs }).by(
    takingWhere(({ amount }) => amount > 990),
  ),
  row(
    "any-purpose-for-parts",
    "ACAM-03",
    "Items below half the amount of the operation are accepted for any purpose.",
    { needs },
  ).by(takingWhere(({ amount }, call) => Number(sent(call)["local_currency_amount"]) < amount / 2)),
  row("any-purpose-without-efx", "ACAM-03", "The purpose is checked only if the counterparty has an EFX operation.", {
    needs,
  }).by(
    takingWhere(
      (named, call) =>
        ![...call.store.operations.values()].filter(isOfSame(named)).some(({ purpose }) => purpose === "EFX"),
    ),
  ),
  row("property-for-operation", "ACAM-04", "Operations are looked up as properties of a plain object.").refuses(
    (answer, call) => (call.parameter in Object.prototype ? itemAdded : answer),
    "operation",
  ),
  row("unknown-operation", "ACAM-04", "Operations that do not exist accept items.").refuses(grant, "operation"),
  row(
    "unknown-operation-of-own-shape",
    "ACAM-04",
    "Operations that do not exist accept items if the id is a UUID.",
  ).refuses(
    (answer, call) => (/^(?!0{8})[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(call.parameter) ? itemAdded : answer),
    "operation",
  ),
  row("unknown-operation-200", "ACAM-04", "An unknown operation is refused with status 200.", {
    also: ["ACAM-01", "ACAM-02"],
  }).refuses(in200, "operation"),

  row(
    "newest-operation",
    "ACAM-05",
    "The purpose is that of the newest operation, not of the one in the path.",
    alsoAny,
  ).by(judging((_named, all) => all.at(-1))),
  row("first-operation", "ACAM-05", "The purpose is that of the counterparty's first operation.", alsoAny).by(
    judging((named, all) => all.find(isOfSame(named))),
  ),
  row("newest-of-counterparty", "ACAM-05", "The purpose is that of the counterparty's last operation.", alsoAny).by(
    judging((named, all) => all.findLast(isOfSame(named))),
  ),
  row(
    "after-item",
    "ACAM-05",
    "Once an operation has an item, all operations of its counterparty accept items.",
    alsoAny,
  ).by((base) => {
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
  }),
  row("after-batch", "ACAM-05", "An operation in a batch accepts items for any purpose.", alsoAny).by(
    judging((named) => (named.batch === null ? named : { ...named, purpose: "EFX" })),
  ),

  row("error-renamed", "ACAM-06", "Errors have the shape { error }.").refuses(shapes.renamed),
  row("purpose-error-code", "ACAM-06", "The error for a purpose other than EFX has a code and no message.", {
    needs,
  }).refuses(() => ({ status: 409, headers: {}, body: { code: "NOT_EFX" } }), "purpose"),
  row("unknown-error-empty", "ACAM-06", "The error for an unknown operation is {}.").refuses(shapes.empty, "operation"),
  row("invalid-error-object", "ACAM-06", "The message for an invalid item is an object.").refuses(
    shapes.object,
    "invalid",
  ),
  row("token-error-array", "ACAM-06", "The error for a bad token is an array.").refuses(shapes.array, "token"),
  row("second-item-500", "HTTP-04", "A second item for an operation gets a 500.").by(
    answers(
      ({ status }, call) => status === 200 && call.operation === "addAcamItem" && itemsOf(call) > 1,
      () => problem(500, "The item is there already"),
    ),
  ),
];

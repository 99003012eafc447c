// What can be wrong or odd about POST /corporate/operation/{operation_id}/acam.
import { anyPurpose, repeated, refusalOf, sent, set, type Json } from "../change.ts";
import { itemAdded } from "../endpoints.ts";
import { refusedAgain } from "../identity.ts";
import {
  Refusal,
  type Answer,
  type Call,
  type Change,
  type Operation,
  type Policy,
  type RefusalReason,
} from "../policy.ts";
import { membersOf, operationInPath } from "../request.ts";
import { isTaxId } from "../bank-codes.ts";
import {
  at,
  textAt,
  withPairs,
  withPurposes,
  wrongText,
  type Deviation,
  type IsWrong,
} from "./deviation.ts";
import { fixedValue, fromSecondOn, inSomeCalls, member, places } from "./members.ts";

const { deviation, refuses, rejection, succeeds } = at.acam;
const { item } = places;

const purpose = ["ACAM-03", "ACAM-05"] as const;
const otherOperation = ["ACAM-05", "ACAM-03"] as const;
const ofPurposes = { needs: withPurposes } as const;

const allIn = ({ store }: Call): readonly Operation[] => [...store.operations.values()];
/** The age of an operation in milliseconds. Without an operation, -Infinity. */
const ageOf = (operation?: Operation): number =>
  Date.now() - (operation?.createdAt.getTime() ?? Infinity);
const ofPayee = (named: Operation, call: Call): readonly Operation[] =>
  allIn(call).filter(({ counterparty }) => counterparty.id === named.counterparty.id);

const members: readonly Deviation[] = [
  ...member(item, "message", { value: "ACAM-01" }, [], {
    "full-stop": ["ends with a full stop", fixedValue("ACAM item added successfully.")],
    later: [
      "is in the plural from the second one on",
      fromSecondOn(fixedValue("ACAM items added successfully")),
      "value",
      "later",
    ],
    late: [
      "is another one after two seconds",
      inSomeCalls((call) => ageOf(operationInPath(call)) > 2000, "ACAM item added late"),
      "value",
      "time",
    ],
  }),
  ...member(item, "status", { value: "ACAM-02" }, [], {
    ok: ["is ok", fixedValue("ok")],
    "of-second-pair": [
      "is in upper case for EURBRL",
      inSomeCalls((call) => operationInPath(call)?.pair === "EURBRL", "SUCCESS"),
      "value",
      "data",
      withPairs,
    ],
  }),
];

/** Accepts items for some operations whose purpose is not EFX. */
function takes(isTaken: (named: Operation, call: Call) => boolean): Change {
  return refuses("purpose", (answer, call) => {
    const named = operationInPath(call);
    return named !== undefined && isTaken(named, call) ? itemAdded : answer;
  });
}

/** Creates operations of any purpose, of which some are taken for EFX. */
function takesForEfx(isTaken: (purpose: string) => boolean): Change {
  return (base) => ({
    ...takes((named) => isTaken(named.purpose))(base),
    purposes: anyPurpose,
  });
}

/** Accepts items for some ids that belong to no operation. */
function takesUnknown(isTaken: (id: string, call: Call) => boolean): Change {
  return refuses("operation", (answer, call) =>
    isTaken(call.parameter, call) ? itemAdded : answer,
  );
}

/** Of the items for the same id that should be refused for this reason, refuses only the first. */
function secondTime(reason: RefusalReason): Change {
  return repeated(
    refusalOf("addAcamItem", reason),
    ({ parameter }) => parameter,
    () => itemAdded,
  );
}

/** Changes which operation is found for an item. */
function finds(
  find: (named: Operation | undefined, call: Call, id: string) => Operation | undefined,
): Change {
  return (base) => ({
    findOperation: (id, call) => {
      const named = base.findOperation(id, call);
      return call.operation === "addAcamItem" ? find(named, call, id) : named;
    },
  });
}

const namesEfx = (call: Call): boolean =>
  call.store.operations.get(String(membersOf(call)["operation_id"]))?.purpose === "EFX";
const toldIn200 = (answer: Answer): Answer => ({
  ...answer,
  status: 200,
  body: { message: (answer.body as Json)["message"], status: "error" },
});

const purposes: readonly Deviation[] = [
  deviation(
    "acam-any-purpose",
    "Operations of any purpose accept items.",
    takes(() => true),
    {
      breaks: purpose,
      ...ofPurposes,
    },
  ),
  deviation(
    "blind-failure-in-200",
    "The refusal of an operation that is not EFX is a 200 with the status error.",
    refuses("purpose", toldIn200),
    { breaks: ["ACAM-03", "ACAM-01", "ACAM-02", "ACAM-05"], ...ofPurposes },
  ),
  deviation(
    "acam-any-purpose-second-time",
    "A refused item is accepted the second time.",
    secondTime("purpose"),
    { breaks: purpose, when: "later", ...ofPurposes },
  ),
  deviation(
    "acam-any-purpose-at-once",
    "Until another is created, any purpose will do.",
    takes((named, call) => allIn(call).at(-1) === named),
    { breaks: otherOperation, when: "later", ...ofPurposes },
  ),
  deviation(
    "acam-any-purpose-after-two-seconds",
    "Two seconds after its creation, any purpose will do.",
    takes((named) => ageOf(named) > 2000),
    { breaks: purpose, when: "time", ...ofPurposes },
  ),
  deviation(
    "acam-purpose-by-beginning",
    "A purpose that begins with EFX is EFX.",
    takesForEfx((it) => it.startsWith("EFX")),
    { breaks: "ACAM-03", when: "data" },
  ),
  deviation(
    "blind-rule-by-first-operation",
    "The rule looks at the first operation of the counterparty.",
    finds((named, call) => named && ofPayee(named, call)[0]),
    { breaks: otherOperation, when: "later", ...ofPurposes },
  ),
  deviation(
    "acam-after-batch",
    "An operation in a batch accepts items for any purpose.",
    finds((named) => (named?.batch ? { ...named, purpose: "EFX" } : named)),
    { breaks: otherOperation, when: "later", ...ofPurposes },
  ),
  deviation(
    "acam-operation-of-body",
    "The purpose is that of the operation in the body.",
    takes((_named, call) => namesEfx(call)),
    { breaks: purpose, when: "data", ...ofPurposes },
  ),
];

function unknown(
  end: string,
  what: string,
  isTaken: (id: string, call: Call) => boolean,
): Deviation {
  return deviation(`acam-${end}`, `${what} accepts items.`, takesUnknown(isTaken), {
    breaks: "ACAM-04",
    when: "data",
  });
}

const isUuid = (id: string): boolean =>
  /^(?!0{8})[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);

const unknowns: readonly Deviation[] = [
  deviation(
    "acam-unknown-operation",
    "Any id accepts items.",
    takesUnknown(() => true),
    { breaks: "ACAM-04" },
  ),
  deviation(
    "acam-unknown-operation-second-time",
    "An unknown id is accepted the second time.",
    secondTime("operation"),
    { breaks: "ACAM-04", when: "later" },
  ),
  deviation(
    "blind-id-prefix-match",
    "An operation is found where the path begins with its id.",
    finds((named, call, given) => named ?? allIn(call).find(({ id }) => given.startsWith(id))),
    { breaks: "ACAM-04", when: "data" },
  ),
  unknown("unknown-operation-of-own-shape", "An id that is any UUID", isUuid),
  unknown(
    "property-for-operation",
    "An id that is a property of an object",
    (id) => id in Object.prototype,
  ),
  unknown("counterparty-for-operation", "The id of a counterparty", (id, { store }) =>
    store.counterparties.has(id),
  ),
];

const itemOf = (body: Json): number => Number(body["local_currency_amount"]);
const digitsOf = (body: Json): number =>
  (textAt(body, "tax_id") ?? "").replaceAll(/\D/g, "").length;
const isAbove: IsWrong = (body, call) => itemOf(body) > (operationInPath(call)?.amount ?? Infinity);
const efxIn = (call: Call): Operation | undefined => {
  const named = operationInPath(call);
  return named?.purpose === "EFX" ? named : undefined;
};

const unchecked: Policy["check"] = (call) => {
  const operation = call.policy.findOperation(call.parameter, call);
  if (!operation) throw new Refusal(404, "operation", "There is no such operation");
  if (operation.purpose !== "EFX") throw new Refusal(422, "purpose", "The operation is not EFX");
};

const taxIds = "tax ids";
const bound = "bound of items";

const legal: readonly Deviation[] = [
  deviation("acam-202", "A new item has status code 202.", succeeds(set({ status: 202 }))),
  deviation(
    "purpose-refused-409",
    "An item is refused with 409 for its purpose.",
    refuses("purpose", set({ status: 409 })),
  ),
  rejection(
    "tax-id-checked",
    "The check digits of CPF and CNPJ are verified.",
    wrongText(isTaxId, "tax_id"),
    { group: "check digits" },
  ),
  rejection(
    "acam-people-only",
    "Tax ids of other than 11 digits are refused.",
    (body) => digitsOf(body) !== 11,
    { group: taxIds },
  ),
  rejection("acam-bounded", "An item above the amount of its operation is refused.", isAbove, {
    group: bound,
  }),
  rejection(
    "acam-before-batch",
    "An operation in a batch refuses items.",
    (_body, call) => Boolean(operationInPath(call)?.batch),
    { status: 409 },
  ),
  rejection(
    "acam-of-tens",
    "The amount of an item is a multiple of ten.",
    (body) => itemOf(body) % 10 !== 0,
    { known: "open" },
  ),
  deviation(
    "acam-anything",
    "The body of an item is not checked.",
    (base) => ({
      check: (call) => (call.operation === "addAcamItem" ? unchecked(call) : base.check(call)),
    }),
    { group: [taxIds, bound, "check digits"] },
  ),
  rejection(
    "second-item-refused",
    "A second item for an operation is refused.",
    (_body, call) => (operationInPath(call)?.items ?? 0) > 0,
    { status: 409, reason: "second item" },
  ),
  deviation(
    "item-once-per-counterparty",
    "A second item for a counterparty is refused.",
    refusedAgain("addAcamItem", (call) => efxIn(call)?.counterparty.id, "limit"),
  ),
  deviation(
    "tax-id-once",
    "A tax id that another item has is refused.",
    refusedAgain("addAcamItem", (call) => efxIn(call) && textAt(sent(call), "tax_id"), "limit"),
  ),
];

export const acam: readonly Deviation[] = [...members, ...purposes, ...unknowns, ...legal];

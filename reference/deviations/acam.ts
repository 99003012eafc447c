// What can be wrong or odd about POST /corporate/operation/{operation_id}/acam.
import { anyPurpose, remembering, repeated, refusalOf, sent, set, type Json } from "../change.ts";
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
import { membersOf } from "../request.ts";
import { isTaxId } from "../bank-codes.ts";
import {
  at,
  textAt,
  withPairs,
  withPatience,
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

const namedIn = ({ store, parameter }: Call): Operation | undefined =>
  store.operations.get(parameter);
const allIn = ({ store }: Call): readonly Operation[] => [...store.operations.values()];
/** The age of an operation in milliseconds. Without an operation, -Infinity. */
const ageOf = (operation?: Operation): number =>
  Date.now() - (operation?.createdAt.getTime() ?? Infinity);
const ofPayee = (named: Operation, call: Call): readonly Operation[] =>
  allIn(call).filter(({ counterparty }) => counterparty.id === named.counterparty.id);
const isBeyondAscii = (call: Call): boolean => /[^\x00-\x7f]/.test(String(sent(call)["merchant"]));
const isPortuguese = ({ headers }: Call): boolean => /^pt\b/.test(headers["accept-language"] ?? "");

const members: readonly Deviation[] = [
  ...member(item, "message", { value: "ACAM-01" }, ["missing"], {
    "full-stop": ["ends with a full stop", fixedValue("ACAM item added successfully.")],
    later: [
      "is in the plural from the second one on",
      fromSecondOn(fixedValue("ACAM items added successfully")),
      "value",
      "later",
    ],
    "by-language": [
      "is in Portuguese for Accept-Language: pt",
      inSomeCalls(isPortuguese, "Item ACAM adicionado com sucesso"),
      "value",
      "data",
    ],
    late: [
      "is another one after two seconds",
      inSomeCalls((call) => ageOf(namedIn(call)) > 2000, "ACAM item added late"),
      "value",
      "time",
      withPatience,
    ],
    "beyond-ascii": [
      "is another one for a merchant beyond ASCII",
      inSomeCalls(isBeyondAscii, "Added"),
      "value",
      "data",
    ],
  }),
  ...member(item, "status", { value: "ACAM-02" }, ["missing"], {
    ok: ["is ok", fixedValue("ok")],
    "of-second-pair": [
      "is in upper case for EURBRL",
      inSomeCalls((call) => namedIn(call)?.pair === "EURBRL", "SUCCESS"),
      "value",
      "data",
      withPairs,
    ],
  }),
];

/** Accepts items for some operations whose purpose is not EFX. */
function takes(isTaken: (named: Operation, call: Call) => boolean): Change {
  return refuses("purpose", (answer, call) => {
    const named = namedIn(call);
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

/** Once an item was added, accepts items that should be refused for this reason. */
function offAfterFirst(reason: RefusalReason): Change {
  return remembering(() => {
    let isOff = false;
    return (base) => ({
      around: async (call, next) => {
        const answer = await base.around(call, next);
        if (call.operation !== "addAcamItem") return answer;
        if (answer.status === 200) isOff = true;
        return isOff && answer.refusal === reason ? itemAdded : answer;
      },
    });
  });
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

const saysEfx = (call: Call): boolean => membersOf(call)["operation_purpose"] === "EFX";
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
    "acam-special-purpose",
    "SERVICES accepts items too.",
    takes((named) => named.purpose === "SERVICES"),
    { breaks: purpose, when: "data", ...ofPurposes },
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
    { breaks: "ACAM-03", when: "later", ...ofPurposes },
  ),
  deviation(
    "acam-any-purpose-above-990",
    "Above 990, any purpose will do.",
    takes(({ amount }) => amount > 990),
    { breaks: "ACAM-03", when: "data", ...ofPurposes },
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
    { breaks: purpose, when: "time", needs: { ...withPurposes, ...withPatience } },
  ),
  deviation(
    "acam-purpose-by-beginning",
    "A purpose that begins with EFX is EFX.",
    takesForEfx((it) => it.startsWith("EFX")),
    { breaks: "ACAM-03", when: "data" },
  ),
  deviation(
    "acam-purpose-part-of-efx",
    "A purpose that is a part of EFX is EFX.",
    takesForEfx((it) => "EFX".includes(it)),
    { breaks: "ACAM-03", when: "data" },
  ),
  deviation(
    "acam-after-item",
    "After an item, the payee needs no purpose.",
    takes((named, call) => ofPayee(named, call).some(({ items }) => items > 0)),
    { breaks: otherOperation, when: "later", ...ofPurposes },
  ),
  deviation(
    "blind-rule-off-after-first-item",
    "Once an item was added, purposes are no longer looked at.",
    offAfterFirst("purpose"),
    { breaks: purpose, when: "later", ...ofPurposes },
  ),
  deviation(
    "acam-newest-operation",
    "The purpose is that of the newest operation.",
    finds((named, call) => named && allIn(call).at(-1)),
    { breaks: otherOperation, when: "later", ...ofPurposes },
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
    "acam-purpose-of-body",
    "The purpose in the body of an item counts.",
    takes((_named, call) => saysEfx(call)),
    { breaks: purpose, when: "data", ...ofPurposes },
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
    "blind-unknown-taken-after-first-item",
    "Once an item was added, unknown operations are taken.",
    offAfterFirst("operation"),
    { breaks: "ACAM-04", when: "later" },
  ),
  deviation(
    "acam-unknown-operation-of-body",
    "For an unknown operation, the one in the body counts.",
    takesUnknown((_id, call) => namesEfx(call)),
    { breaks: "ACAM-04", when: "data" },
  ),
  deviation(
    "blind-id-prefix-match",
    "An operation is found where the path begins with its id.",
    finds((named, call, given) => named ?? allIn(call).find(({ id }) => given.startsWith(id))),
    { breaks: "ACAM-04", when: "data" },
  ),
  unknown("unknown-operation-of-own-shape", "An id that is any UUID", isUuid),
  unknown(
    "id-cut",
    "Eight characters of an operation's id",
    (id, call) => id.length >= 8 && allIn(call).some((known) => known.id.includes(id)),
  ),
  unknown(
    "property-for-operation",
    "An id that is a property of an object",
    (id) => id in Object.prototype,
  ),
  unknown("counterparty-for-operation", "The id of a counterparty", (id, { store }) =>
    store.counterparties.has(id),
  ),
  unknown("batch-for-operation", "The id of a batch", (id, { store }) =>
    store.batches.some((batch) => batch.id === id),
  ),
  ...["0", "null", "undefined"].map((word) =>
    unknown(`id-${word === "0" ? "zero" : word}`, `The id ${word}`, (id) => id === word),
  ),
];

const itemOf = (body: Json): number => Number(body["local_currency_amount"]);
const digitsOf = (body: Json): number =>
  (textAt(body, "tax_id") ?? "").replaceAll(/\D/g, "").length;
const isPerson = (body: Json): boolean => String(body["tax_id"]).length !== 14;
const isAbove: IsWrong = (body, call) => itemOf(body) > (namedIn(call)?.amount ?? Infinity);
const efxIn = (call: Call): Operation | undefined => {
  const named = namedIn(call);
  return named?.purpose === "EFX" ? named : undefined;
};

const unchecked: Policy["check"] = (call) => {
  const operation = call.policy.findOperation(call.parameter, call);
  if (!operation) throw new Refusal(404, "operation", "There is no such operation");
  if (operation.purpose !== "EFX") throw new Refusal(422, "purpose", "The operation is not EFX");
};

const taxIds = "tax ids";
const bound = "bound of items";
const ofAmount = { group: "amounts of items" } as const;

const legal: readonly Deviation[] = [
  ...[201, 202].map((status) =>
    deviation(
      `acam-${status}`,
      `A new item has status code ${status}.`,
      succeeds(set({ status })),
      { group: "success of acam" },
    ),
  ),
  ...[400, 403, 409].map((status) =>
    deviation(
      `purpose-refused-${status}`,
      `An item is refused with ${status} for its purpose.`,
      refuses("purpose", set({ status })),
      { group: "refusal for purpose" },
    ),
  ),
  ...[400, 403, 422].map((status) =>
    deviation(
      `operation-refused-${status}`,
      `An item is refused with ${status} for its operation.`,
      refuses("operation", set({ status })),
      { group: "refusal for operation" },
    ),
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
  rejection(
    "acam-companies-only",
    "Tax ids of other than 14 digits are refused.",
    (body) => digitsOf(body) !== 14,
    { group: taxIds },
  ),
  rejection("acam-bounded", "An item above the amount of its operation is refused.", isAbove, {
    group: bound,
  }),
  rejection(
    "acam-before-batch",
    "An operation in a batch refuses items.",
    (_body, call) => Boolean(namedIn(call)?.batch),
    { status: 409 },
  ),
  rejection("acam-far-below", "An item is at most 5.", (body) => itemOf(body) > 5, ofAmount),
  rejection(
    "acam-whole",
    "Items have no decimals.",
    (body) => !Number.isInteger(itemOf(body)),
    ofAmount,
  ),
  rejection(
    "acam-of-tens",
    "The amount of an item is a multiple of ten.",
    (body) => itemOf(body) % 10 !== 0,
    ofAmount,
  ),
  rejection(
    "acam-companies-far-below",
    "Items are of companies, at most 3.",
    (body) => isPerson(body) || itemOf(body) > 3,
    { group: ["amounts of items", taxIds] },
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
    (_body, call) => (namedIn(call)?.items ?? 0) > 0,
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

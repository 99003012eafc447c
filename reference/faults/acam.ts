import { anyPurpose, refusalOf, repeated, sent, set } from "../change.ts";
import { itemAdded } from "../endpoints.ts";
import type { Call, Change, Operation } from "../policy.ts";
import { at, withPairs, withPatience, withPurposes, type Fault } from "./fault.ts";
import { as, later, member, places, where } from "./member.ts";

const { fault, shows, refuses } = at.addAcamItem;
const { item } = places;
const purpose = ["ACAM-03", "ACAM-05"] as const;
const otherOperation = ["ACAM-05", "ACAM-03"] as const;
const purposeIn200 = ["ACAM-03", "ACAM-01", "ACAM-02", "ACAM-05"] as const;
const unknownIn200 = ["ACAM-04", "ACAM-01", "ACAM-02"] as const;
const in200 = set({ status: 200 });
const withTime = { needs: { ...withPurposes.needs, ...withPatience.needs } } as const;

/** Accepts items for some operations whose purpose is not EFX. */
function takes(isTaken: (named: Operation, call: Call) => boolean): Change {
  return refuses("purpose", (answer, call) => {
    const named = namedIn(call);
    return named !== undefined && isTaken(named, call) ? itemAdded : answer;
  });
}

/** Accepts items for some ids of no operation. */
function takesUnknown(isTaken: (id: string, call: Call) => boolean): Change {
  return refuses("operation", (answer, call) => (isTaken(call.parameter, call) ? itemAdded : answer));
}

/** Creates operations of any purpose, and takes the purposes with this pattern for EFX. */
function likeEfx(pattern: RegExp): Change {
  return (base) => ({ ...takes((named) => pattern.test(named.purpose))(base), purposes: anyPurpose });
}

/** Accepts a refused item that is sent again. */
function secondTime(reason: "purpose" | "operation"): Change {
  return repeated(
    refusalOf("addAcamItem", reason),
    ({ parameter }) => parameter,
    () => itemAdded,
  );
}

/** Chooses the operation whose purpose is checked, instead of the one in the path. */
type Choice = (named: Operation, all: readonly Operation[]) => Operation | undefined;

function checks(other: Choice): Change {
  return (base) => ({
    findOperation: (name, call) => {
      const named = base.findOperation(name, call);
      return call.operation === "addAcamItem" && named ? other(named, allIn(call)) : named;
    },
  });
}

function namedIn(call: Call): Operation | undefined {
  return call.store.operations.get(call.parameter);
}

function allIn(call: Call): readonly Operation[] {
  return [...call.store.operations.values()];
}

function ofPayee(named: Operation, all: readonly Operation[]): readonly Operation[] {
  return all.filter(({ counterparty }) => counterparty.id === named.counterparty.id);
}

function ofAmount(named: Operation, all: readonly Operation[]): readonly Operation[] {
  return ofPayee(named, all).filter(({ amount }) => amount === named.amount);
}

function isNewest(named: Operation, call: Call): boolean {
  return allIn(call).at(-1) === named;
}

function hasNoEfx(named: Operation, call: Call): boolean {
  return ofPayee(named, allIn(call)).every((other) => other.purpose !== "EFX");
}

/** True once any operation of the same counterparty has an item. */
function isAfterItem(named: Operation, call: Call): boolean {
  return ofPayee(named, allIn(call)).some(({ items }) => items > 0);
}

/** True for an item of less than half the amount of the operation. */
function isPart({ amount }: Operation, call: Call): boolean {
  return Number(sent(call)["local_currency_amount"]) < amount / 2;
}

/** Milliseconds since the creation of an operation. */
function ageOf(operation?: Operation): number {
  return Date.now() - (operation?.createdAt.getTime() ?? Infinity);
}

const isUuid = (id: string): boolean => /^(?!0{8})[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
const isProperty = (id: string): boolean => id in Object.prototype;
const isPayee = (id: string, call: Call): boolean => call.store.counterparties.has(id);
const isBatch = (id: string, call: Call): boolean => call.store.batches.some((batch) => batch.id === id);
const beginsLikeKnown = (id: string, call: Call): boolean => allIn(call).some((known) => id.startsWith(known.id));
const isPartOfKnown = (id: string, call: Call): boolean =>
  id.length >= 8 && allIn(call).some((known) => known.id.includes(id));

const isEuro = (call: Call): boolean => namedIn(call)?.pair === "EURBRL";
const isThird = (call: Call): boolean => (namedIn(call)?.items ?? 0) > 2;
const isOld = (call: Call): boolean => ageOf(namedIn(call)) > 2000;
const isPortuguese = ({ headers }: Call): boolean => /^pt\b/.test(headers["accept-language"] ?? "");
const isBeyondAscii = (call: Call): boolean => /[^\x00-\x7f]/.test(String(sent(call)["merchant"]));
const asEfxInBatch: Choice = (named) => (named.batch === null ? named : { ...named, purpose: "EFX" });

export const acamFaults: readonly Fault[] = [
  ...member(item, "message", { value: "ACAM-01" }, ["missing", "null"], {
    "small-letter": ["is in lower case", as("acam item added successfully")],
    "full-stop": ["ends with a full stop", as("ACAM item added successfully.")],
    padded: ["ends with a space", as("ACAM item added successfully ")],
    translated: ["is in Portuguese", as("Item ACAM adicionado com sucesso")],
    shortened: ["is shortened", as("ACAM item added")],
    later: ["is in the plural from the second one on", later(as("ACAM items added successfully"))],
    "third-item": ["is another one for a third item", where(isThird, "Updated")],
    "by-language": [
      "is in Portuguese for Accept-Language: pt",
      where(isPortuguese, "Item ACAM adicionado com sucesso"),
    ],
    late: ["is another one after two seconds", where(isOld, "ACAM item added late"), "value", withPatience],
    "beyond-ascii": ["is another one for a merchant beyond ASCII", where(isBeyondAscii, "Added")],
  }),
  fault(
    "message-error",
    ["ACAM-01", "ACAM-02"],
    "A success is { message: error }.",
    shows(() => ({ message: "error" })),
  ),
  ...member(item, "status", { value: "ACAM-02" }, ["missing", "upper-case"], {
    capital: ["begins with a capital letter", as("Success")],
    ok: ["is ok", as("ok")],
    true: ["is true", as(true)],
    code: ["is 200", as(200)],
    "of-second-pair": ["is in upper case for EURBRL", where(isEuro, "SUCCESS"), "value", withPairs],
  }),

  fault(
    "any-purpose",
    purpose,
    "Operations of any purpose accept items.",
    takes(() => true),
    withPurposes,
  ),
  fault(
    "purpose-refused-with-200",
    purposeIn200,
    "A purpose besides EFX gets a 200.",
    refuses("purpose", in200),
    withPurposes,
  ),
  fault(
    "any-purpose-second-time",
    "ACAM-03",
    "A refused item is accepted the second time.",
    secondTime("purpose"),
    withPurposes,
  ),
  fault(
    "any-purpose-above-500",
    purpose,
    "Above 500, any purpose will do.",
    takes(({ amount }) => amount > 500),
    withPurposes,
  ),
  fault(
    "any-purpose-above-990",
    "ACAM-03",
    "Above 990, any purpose will do.",
    takes(({ amount }) => amount > 990),
    withPurposes,
  ),
  fault(
    "any-purpose-at-once",
    otherOperation,
    "Until another is created, any purpose will do.",
    takes(isNewest),
    withPurposes,
  ),
  fault(
    "any-purpose-after-two-seconds",
    purpose,
    "Two seconds after its creation, any purpose will do.",
    takes((named) => ageOf(named) > 2000),
    withTime,
  ),
  fault("any-purpose-for-parts", "ACAM-03", "Below half the amount, any purpose will do.", takes(isPart), withPurposes),
  fault(
    "any-purpose-without-efx",
    "ACAM-03",
    "Without an EFX operation, any purpose will do.",
    takes(hasNoEfx),
    withPurposes,
  ),
  fault("purpose-by-beginning", "ACAM-03", "A purpose that begins with EFX is EFX.", likeEfx(/^EFX/)),
  fault("purpose-by-end", "ACAM-03", "A purpose that ends with EFX is EFX.", likeEfx(/EFX$/)),
  fault("after-item", otherOperation, "After an item, the payee needs no purpose.", takes(isAfterItem), withPurposes),

  fault("unknown-operation-200", unknownIn200, "An unknown operation gets a 200.", refuses("operation", in200)),
  fault(
    "unknown-operation-second-time",
    "ACAM-04",
    "An unknown id is accepted the second time.",
    secondTime("operation"),
  ),
  fault(
    "unknown-operation",
    "ACAM-04",
    "Any id accepts items.",
    takesUnknown(() => true),
  ),
  fault("unknown-operation-of-own-shape", "ACAM-04", "An id that is any UUID accepts items.", takesUnknown(isUuid)),
  fault(
    "property-for-operation",
    "ACAM-04",
    "An id that is a property of an object accepts items.",
    takesUnknown(isProperty),
  ),
  fault("counterparty-for-operation", "ACAM-04", "The id of a counterparty accepts items.", takesUnknown(isPayee)),
  fault("batch-for-operation", "ACAM-04", "The id of a batch accepts items.", takesUnknown(isBatch)),
  fault("id-cut", "ACAM-04", "Eight characters of an operation's id accepts items.", takesUnknown(isPartOfKnown)),
  fault(
    "id-by-beginning",
    "ACAM-04",
    "The id of an operation with more characters accepts items.",
    takesUnknown(beginsLikeKnown),
  ),

  fault(
    "newest-operation",
    otherOperation,
    "The purpose is that of the newest operation.",
    checks((_named, all) => all.at(-1)),
    withPurposes,
  ),
  fault(
    "first-operation",
    otherOperation,
    "The purpose is that of the payee's first one.",
    checks((named, all) => ofPayee(named, all)[0]),
    withPurposes,
  ),
  fault(
    "newest-of-counterparty",
    otherOperation,
    "The purpose is that of a payee's last one.",
    checks((named, all) => ofPayee(named, all).at(-1)),
    withPurposes,
  ),
  fault(
    "first-of-amount",
    otherOperation,
    "The purpose is that of the first of this amount.",
    checks((named, all) => ofAmount(named, all)[0]),
    withPurposes,
  ),
  fault(
    "last-of-amount",
    otherOperation,
    "The purpose is that of the last of this amount.",
    checks((named, all) => ofAmount(named, all).at(-1)),
    withPurposes,
  ),
  fault(
    "after-batch",
    otherOperation,
    "An operation in a batch accepts items for any purpose.",
    checks(asEfxInBatch),
    withPurposes,
  ),
];

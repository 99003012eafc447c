import { anyPurpose, refusalOf, repeated, sent, set } from "../change.ts";
import { itemAdded } from "../endpoints.ts";
import type { Call, Change, Operation } from "../policy.ts";
import {
  at,
  inSequence,
  withPairs,
  withPatience,
  withPurposes,
  type Fault,
  forSomeValues,
  inState,
  inTime,
} from "./fault.ts";
import { fixedValue, fromSecondOn, member, places, inSomeCalls } from "./member.ts";

const { fault, refuses } = at.addAcamItem;
const { item } = places;
const purpose = ["ACAM-03", "ACAM-05"] as const;
const otherOperation = ["ACAM-05", "ACAM-03"] as const;
const purposeIn200 = ["ACAM-03", "ACAM-01", "ACAM-02", "ACAM-05"] as const;
const withStatus200 = set({ status: 200 });
const withTime = { needs: { ...withPurposes.needs, ...withPatience.needs } } as const;

/** Accepts items for some operations whose purpose is not EFX. */
function takes(isTaken: (named: Operation, call: Call) => boolean): Change {
  return refuses("purpose", (answer, call) => {
    const named = namedIn(call);
    return named !== undefined && isTaken(named, call) ? itemAdded : answer;
  });
}

/** Accepts items for some ids that belong to no operation. */
function takesUnknown(isTaken: (id: string, call: Call) => boolean): Change {
  return refuses("operation", (answer, call) =>
    isTaken(call.parameter, call) ? itemAdded : answer,
  );
}

/**
 * Creates operations of any purpose. Accepts items for an operation whose purpose matches the
 * pattern, as if the purpose were EFX.
 */
function takesForEfx(pattern: RegExp): Change {
  return (base) => ({
    ...takes((named) => pattern.test(named.purpose))(base),
    purposes: anyPurpose,
  });
}

/** Of the items for the same id that should be refused for this reason, refuses only the first. */
function secondTime(reason: "purpose" | "operation"): Change {
  return repeated(
    refusalOf("addAcamItem", reason),
    ({ parameter }) => parameter,
    () => itemAdded,
  );
}

/** Chooses the operation whose purpose is checked, in place of the operation in the path. */
type ChosenOperation = (named: Operation, all: readonly Operation[]) => Operation | undefined;

function checks(other: ChosenOperation): Change {
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

function isNewest(named: Operation, call: Call): boolean {
  return allIn(call).at(-1) === named;
}

/** Whether any operation with the counterparty of `named` has an item. */
function isAfterItem(named: Operation, call: Call): boolean {
  return ofPayee(named, allIn(call)).some(({ items }) => items > 0);
}

/** The age of an operation in milliseconds. Without an operation, -Infinity. */
function ageOf(operation?: Operation): number {
  return Date.now() - (operation?.createdAt.getTime() ?? Infinity);
}
function isUuid(id: string): boolean {
  return /^(?!0{8})[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
}
function isPartOfKnown(id: string, call: Call): boolean {
  return id.length >= 8 && allIn(call).some((known) => known.id.includes(id));
}
function isBatch(id: string, call: Call): boolean {
  return call.store.batches.some((batch) => batch.id === id);
}
const isProperty = (id: string): boolean => id in Object.prototype;
const isPayee = (id: string, call: Call): boolean => call.store.counterparties.has(id);

const isEuro = (call: Call): boolean => namedIn(call)?.pair === "EURBRL";
const isOld = (call: Call): boolean => ageOf(namedIn(call)) > 2000;
const isPortuguese = ({ headers }: Call): boolean => /^pt\b/.test(headers["accept-language"] ?? "");
const isBeyondAscii = (call: Call): boolean => /[^\x00-\x7f]/.test(String(sent(call)["merchant"]));
const asEfxInBatch: ChosenOperation = (named) =>
  named.batch === null ? named : { ...named, purpose: "EFX" };

export const acamFaults: readonly Fault[] = [
  ...member(item, "message", { value: "ACAM-01" }, ["missing"], {
    "full-stop": ["ends with a full stop", fixedValue("ACAM item added successfully.")],
    later: [
      "is in the plural from the second one on",
      fromSecondOn(fixedValue("ACAM items added successfully")),
      "value",
      inSequence,
    ],
    "by-language": [
      "is in Portuguese for Accept-Language: pt",
      inSomeCalls(isPortuguese, "Item ACAM adicionado com sucesso"),
      "value",
      forSomeValues,
    ],
    late: [
      "is another one after two seconds",
      inSomeCalls(isOld, "ACAM item added late"),
      "value",
      { ...withPatience, ...inTime },
    ],
    "beyond-ascii": [
      "is another one for a merchant beyond ASCII",
      inSomeCalls(isBeyondAscii, "Added"),
      "value",
      forSomeValues,
    ],
  }),
  ...member(item, "status", { value: "ACAM-02" }, ["missing"], {
    ok: ["is ok", fixedValue("ok")],
    "of-second-pair": [
      "is in upper case for EURBRL",
      inSomeCalls(isEuro, "SUCCESS"),
      "value",
      { ...withPairs, ...forSomeValues },
    ],
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
    refuses("purpose", withStatus200),
    withPurposes,
  ),
  fault(
    "any-purpose-second-time",
    "ACAM-03",
    "A refused item is accepted the second time.",
    secondTime("purpose"),
    {
      ...withPurposes,
      ...inSequence,
    },
  ),
  fault(
    "any-purpose-above-990",
    "ACAM-03",
    "Above 990, any purpose will do.",
    takes(({ amount }) => amount > 990),
    { ...withPurposes, ...forSomeValues },
  ),
  fault(
    "any-purpose-at-once",
    otherOperation,
    "Until another is created, any purpose will do.",
    takes(isNewest),
    {
      ...withPurposes,
      ...inState,
    },
  ),
  fault(
    "any-purpose-after-two-seconds",
    purpose,
    "Two seconds after its creation, any purpose will do.",
    takes((named) => ageOf(named) > 2000),
    { ...withTime, ...inTime },
  ),
  fault(
    "purpose-by-beginning",
    "ACAM-03",
    "A purpose that begins with EFX is EFX.",
    takesForEfx(/^EFX/),
    forSomeValues,
  ),
  fault(
    "after-item",
    otherOperation,
    "After an item, the payee needs no purpose.",
    takes(isAfterItem),
    {
      ...withPurposes,
      ...inState,
    },
  ),
  fault(
    "unknown-operation-second-time",
    "ACAM-04",
    "An unknown id is accepted the second time.",
    secondTime("operation"),
    inSequence,
  ),
  fault(
    "unknown-operation",
    "ACAM-04",
    "Any id accepts items.",
    takesUnknown(() => true),
  ),
  fault(
    "unknown-operation-of-own-shape",
    "ACAM-04",
    "An id that is any UUID accepts items.",
    takesUnknown(isUuid),
    forSomeValues,
  ),
  fault(
    "id-cut",
    "ACAM-04",
    "Eight characters of an operation's id accept items.",
    takesUnknown(isPartOfKnown),
    forSomeValues,
  ),
  fault(
    "property-for-operation",
    "ACAM-04",
    "An id that is a property of an object accepts items.",
    takesUnknown(isProperty),
    forSomeValues,
  ),
  fault(
    "counterparty-for-operation",
    "ACAM-04",
    "The id of a counterparty accepts items.",
    takesUnknown(isPayee),
    forSomeValues,
  ),
  fault(
    "batch-for-operation",
    "ACAM-04",
    "The id of a batch accepts items.",
    takesUnknown(isBatch),
    forSomeValues,
  ),

  fault(
    "newest-operation",
    otherOperation,
    "The purpose is that of the newest operation.",
    checks((_named, all) => all.at(-1)),
    { ...withPurposes, ...inSequence },
  ),
  fault(
    "after-batch",
    otherOperation,
    "An operation in a batch accepts items for any purpose.",
    checks(asEfxInBatch),
    {
      ...withPurposes,
      ...inState,
    },
  ),
];

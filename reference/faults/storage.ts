import { anyPurpose, edit, isJson, sent, type Json } from "../change.ts";
import { itemAdded } from "../endpoints.ts";
import type { Call, Change, Counterparty } from "../policy.ts";
import { crashed } from "./crashes.ts";
import { at, forSomeValues, inState, withPurposes, type Broken, type Fault } from "./fault.ts";
import { oneIdFor } from "./identity.ts";
import { membersOf, type Sent } from "./raw-body.ts";

const { addAcamItem: acam, createOperation: operation, createCounterparty: counterparty } = at;

/** Accepts items for ids that match the pattern and belong to no operation. */
function takesId(pattern: RegExp): Change {
  return acam.refuses("operation", (answer, call) =>
    pattern.test(call.parameter) ? itemAdded : answer,
  );
}

/** Accepts items for operations with some purposes other than EFX. */
function takesPurpose(isTaken: (purpose: string) => boolean): Change {
  return acam.refuses("purpose", (answer, call) => {
    const named = call.store.operations.get(call.parameter);
    return named !== undefined && isTaken(named.purpose) ? itemAdded : answer;
  });
}

const partOfEfx: Change = (base) => ({
  ...takesPurpose((it) => "EFX".includes(it))(base),
  purposes: anyPurpose,
});

const known = ["EFX", "IMPORT", "EXPORT", "SERVICES"];

/** Reads a purpose as the known purpose that it begins with. */
const knownByBeginning: Change = (base) => {
  const knownIn = (it: unknown): string | undefined =>
    known.find((one) => String(it).startsWith(one));
  const showing = operation.shows(edit("operation_purpose", (it) => knownIn(it) ?? it));
  const purposes: ReadonlySet<string> = Object.assign(new Set<string>(), {
    has: (it: string) => knownIn(it) !== undefined,
  });
  return { ...showing(base), purposes };
};

/** Uses the newest counterparty if an id is unknown and matches the pattern. */
function takesPayee(pattern: RegExp): Change {
  return (base) => ({
    findCounterparty: (id, call) =>
      base.findCounterparty(id, call) ??
      (pattern.test(id) ? [...call.store.counterparties.values()].at(-1) : undefined),
  });
}

const isEmpty = (value: unknown): boolean => isJson(value) && Object.keys(value).length === 0;
function isOfNulls(value: unknown): boolean {
  return isJson(value) && !isEmpty(value) && Object.values(value).every((one) => one === null);
}
function hasMember(name: string, is: (value: unknown) => boolean): Sent {
  return (call) => is(membersOf(call)[name]);
}
const isLong = (value: unknown): boolean => typeof value === "string" && value.length > 200;
function payeeOf(call: Call): Counterparty | undefined {
  return call.store.counterparties.get(String(membersOf(call)["counterparty_id"]));
}
function nameAndNumber(call: Call): unknown {
  const { account_number: number } = Object(sent(call)["bank_account"]) as Json;
  return number === undefined ? call.nth : JSON.stringify([sent(call)["name"], number]);
}

function crashesFor(id: string, what: string, when: Sent): Fault {
  return counterparty.fault(
    id,
    "HTTP-04",
    `${what} gets a 500.`,
    counterparty.gives(crashed, when),
  );
}

/**
 * Registers counterparties that lack a bank account, and shows {} as the account in their
 * operations.
 */
const emptyAccount: Change = (base) => {
  const isWithoutAccount = (call: Call): boolean =>
    call.operation === "createCounterparty" && sent(call)["bank_account"] === undefined;
  const showing = operation.shows((body) => ({ bank_account: {}, ...withoutUndefined(body) }));
  return {
    ...showing(base),
    check: (call) => {
      if (!isWithoutAccount(call)) base.check(call);
    },
  };
};

function withoutUndefined(body: Json): Json {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

/**
 * The text without leading zeros, as if it had been stored as a number. Unchanged if it is not 1 to
 * 15 digits.
 */
function withoutZeros(text: unknown): unknown {
  return /^\d{1,15}$/.test(String(text)) ? String(Number(text)) : text;
}

const emptyAddress: Broken = ["CPTY-03", "CPTY-02", "CPTY-08"];

/** Faults that come from habits of databases and serializers. */
export const storageFaults: readonly Fault[] = [
  counterparty.fault(
    "of-account-number-merged",
    "CPTY-10",
    "Accounts of one payee with one number at two banks share an id.",
    oneIdFor("counterparty", nameAndNumber),
    forSomeValues,
  ),
  counterparty.fault(
    "external-id-without-zeros",
    "CPTY-06",
    "An external_id of at most fifteen digits loses the zeros in front.",
    counterparty.shows(edit("external_id", withoutZeros)),
    forSomeValues,
  ),
  acam.fault("id-zero", "ACAM-04", "The id 0 accepts items.", takesId(/^0$/)),
  acam.fault("id-null", "ACAM-04", "The id null accepts items.", takesId(/^null$/)),
  acam.fault("id-undefined", "ACAM-04", "The id undefined accepts items.", takesId(/^undefined$/)),
  acam.fault(
    "id-long-crashes",
    ["HTTP-04", "ACAM-04"],
    "An id of more than 200 characters gets a 500.",
    acam.gives(crashed, (call) => isLong(call.parameter)),
  ),
  acam.fault(
    "purpose-part-of-efx",
    "ACAM-03",
    "A purpose that is a part of EFX is EFX.",
    partOfEfx,
  ),
  acam.fault(
    "special-purpose",
    ["ACAM-03", "ACAM-05"],
    "SERVICES accepts items too.",
    takesPurpose((it) => it === "SERVICES"),
    withPurposes,
  ),
  operation.fault(
    "purpose-by-beginning",
    ["OPER-08", "ACAM-03"],
    "A purpose that begins with a known one is that one.",
    knownByBeginning,
    forSomeValues,
  ),
  operation.fault(
    "counterparty-zero",
    "OPER-44",
    "The counterparty 0 is accepted.",
    takesPayee(/^0$/),
  ),
  operation.fault(
    "counterparty-null",
    "OPER-44",
    "The counterparty null is accepted.",
    takesPayee(/^null$/),
  ),
  operation.fault(
    "counterparty-long-crashes",
    ["HTTP-04", "OPER-44"],
    "A counterparty_id of more than 200 characters gets a 500.",
    operation.gives(crashed, hasMember("counterparty_id", isLong)),
  ),
  operation.fault(
    "of-empty-address-crashes",
    "HTTP-04",
    "An operation for a payee with an empty address gets a 500.",
    operation.gives(crashed, (call) => isEmpty(payeeOf(call)?.counterparty_address)),
    inState,
  ),
  operation.fault(
    "account-empty-if-none",
    "OPER-11",
    "The bank_account of a payee without one is {}.",
    emptyAccount,
    forSomeValues,
  ),
  crashesFor("of-customer-null-crashes", "The customer null", (call) => call.parameter === "null"),
  crashesFor("account-empty-crashes", "An empty bank_account", hasMember("bank_account", isEmpty)),
  crashesFor(
    "intermediary-nulls-crashes",
    "An intermediary_bank of nulls",
    hasMember("intermediary_bank", isOfNulls),
  ),
  crashesFor(
    "address-nulls-crashes",
    "An address of nulls",
    hasMember("counterparty_address", isOfNulls),
  ),
  counterparty.fault(
    "address-empty-list",
    emptyAddress,
    "An empty address is shown as a list.",
    counterparty.shows(edit("counterparty_address", (it) => (isEmpty(it) ? [] : it))),
    forSomeValues,
  ),
  counterparty.fault(
    "address-empty-null",
    emptyAddress,
    "An empty address is shown as null.",
    counterparty.shows(edit("counterparty_address", (it) => (isEmpty(it) ? null : it))),
    forSomeValues,
  ),
];

import type { OperationName } from "../../spec/operations.ts";
import { batchOperation, listedBatch, omit, remembering, sent, success } from "../change.ts";
import type { Edit, Json } from "../change.ts";
import { bankMembers, type Call, type Change } from "../policy.ts";
import { faultsAnywhere, forSomeValues, inSequence } from "./fault.ts";
import type { Broken, Fault, FaultFacts } from "./fault.ts";

/** Names of members as the ids of faults have them, if they differ. */
const shortNames: Readonly<Record<string, string>> = {
  external_id: "external-id",
  counterparty_address: "address",
  bank_account: "account",
  intermediary_bank: "intermediary",
  operation_id: "id",
  operation_purpose: "purpose",
  operation_count: "count",
  foreign_currency_amount: "amount",
  currency_pair: "pair",
  customer_id: "customer",
  counterparty_id: "counterparty",
  batch_id: "batch",
  created_at: "time",
};

/** An object that responses show. */
interface Place {
  /** The beginning of the ids of faults in this object. */
  readonly prefix: string;
  readonly operation?: OperationName;
  readonly of: string;
  /** Makes the change that edits the object wherever responses show it. */
  readonly change: (edit: Edit) => Change;
}

function placeOf(operation: OperationName, prefix: string, of: string): Place {
  return { operation, prefix, of, change: (edit) => success(operation, edit) };
}

export const places = {
  token: placeOf("createToken", "", "the response"),
  counterparty: placeOf("createCounterparty", "counterparty-", "a counterparty"),
  operation: placeOf("createOperation", "operation-", "an operation"),
  item: placeOf("addAcamItem", "acam-", "the response"),
  batch: placeOf("createBatch", "batch-", "a batch"),
  list: placeOf("listBatches", "list-", "the list"),
  listed: { ...placeOf("listBatches", "list-", "a listed batch"), change: listedBatch },
  listedBatch: { ...placeOf("listBatches", "list-batch-", "a listed batch"), change: listedBatch },
  batched: { prefix: "batched-", of: "a batched operation", change: batchOperation },
} satisfies Record<string, Place>;

/** A member of an object in a response, as a server that obeys shows it. */
interface ShownMember {
  /** The value of the member. Undefined if the member is absent. */
  readonly value: unknown;
  /**
   * The value that the member should have. If the member repeats the request, this is the value
   * that was sent.
   */
  readonly right: unknown;
  /** The right value of the first object that this server showed. */
  readonly first: unknown;
  /** The number of this object among those that this server showed, from 1. */
  readonly nth: number;
  readonly body: Json;
  readonly call: Call;
}

/** Makes the value that a faulty server shows. Undefined leaves the member out. */
export type Way = (shown: ShownMember) => unknown;

/**
 * The requirements that a member breaks: with another value, with a value of another JSON type, or
 * with a time without a zone.
 */
type Breaks = Readonly<Partial<Record<"value" | "type" | "zone", Broken>>>;

/**
 * A fault of a member. `words` ends the sentence that begins with the name of the member. Without
 * `breaks`, the fault breaks what another value breaks.
 */
type Wrong = readonly [words: string, way: Way, breaks?: keyof Breaks | Broken, facts?: FaultFacts];

/** Shows this value in every response. */
export function as(value: unknown): Way {
  return () => value;
}

/** Shows a value that is made from the right one, if there is a right one. */
export function by<T>(change: (right: T) => unknown): Way {
  return ({ right }) => (right === undefined ? undefined : change(right as T));
}

/** Shows a value that is made from the whole object, or from the request. */
export function from(valueOf: (body: Json, call: Call) => unknown): Way {
  return ({ body, call }) => valueOf(body, call);
}

/** Shows a wrong value in the responses to some requests. */
export function where(isHit: (call: Call) => boolean, wrong: unknown): Way {
  return ({ value, call }) => (isHit(call) ? wrong : value);
}

/** Shows a wrong value where the member should be absent or null. */
export function absentAs(wrong: unknown): Way {
  return ({ value }) => value ?? wrong;
}

/** Shows the member wrongly from the second object on. */
export function later(way: Way): Way {
  return (shown) => (shown.nth > 1 ? way(shown) : shown.value);
}

export const leftOut: Way = () => undefined;

/** Shows null for an absent member inside the object. */
function withNull(name: string): Way {
  return by((object: Json) => ({ [name]: null, ...object }));
}

const nulls = Object.fromEntries(bankMembers.map((name) => [name, null]));

/**
 * Faults that fit many members, by the end of their ids. In the row of a member, a word names each
 * fault.
 */
const families = {
  missing: ["is missing", leftOut],
  null: ["is null", as(null), "type"],
  number: ["is a number", as(17), "type"],
  string: ["is a string", by(String), "type"],
  list: ["is an array that holds the right value", by((it) => [it]), "type"],
  object: ["is an object that holds the right value", by((value) => ({ value })), "type"],
  "upper-case": ["is in upper case", by((text: string) => text.toUpperCase())],
  "lower-case": ["is in lower case", by((text: string) => text.toLowerCase())],
  slash: ["contains a slash", by((pair: string) => pair.replace(/^.../, "$&/"))],
  swapped: ["has its currencies swapped", by((pair: string) => pair.slice(3) + pair.slice(0, 3))],
  space: ["has a space instead of the T", by((time: string) => time.replace("T", " "))],
  "without-zone": ["has no zone", by((time: string) => time.replace("Z", "")), "zone"],
  epoch: ["is a number of milliseconds", by((time: string) => Date.parse(time)), "type"],
  empty: ["is {} if there is none", absentAs({}), "value", forSomeValues],
  nulls: ["is an object of nulls if there is none", absentAs(nulls), "type", forSomeValues],
  "iban-null": ["has a null iban if there is none", withNull("iban"), "type", forSomeValues],
  "routing-number-null": [
    "has a null aba_routing_number if there is none",
    withNull("aba_routing_number"),
    "type",
    forSomeValues,
  ],
  "of-first": ["is always that of the first one", ({ first }) => first, "value", inSequence],
  "space-later": [
    "has a space instead of the T from the second one on",
    later(by((time: string) => time.replace("T", " "))),
    "value",
    inSequence,
  ],
  "missing-later": ["is missing from the second one on", later(leftOut), "value", inSequence],
  "null-later": ["is null from the second one on", later(as(null)), "type", inSequence],
} as const satisfies Record<string, Wrong>;

type MemberFaults = Breaks & FaultFacts & { readonly sentAs?: string };

/**
 * The faults of a member: of families by name, and special faults by the end of their ids. `sentAs`
 * names the member of the request whose value the member repeats.
 */
export function member(
  place: Place,
  name: string,
  { value, type, zone, sentAs, ...shared }: MemberFaults,
  ofFamilies: readonly (keyof typeof families)[],
  special: Readonly<Record<string, Wrong>> = {},
): readonly Fault[] {
  const { fault } = faultsAnywhere(`${place.prefix}${shortNames[name] ?? name}-`, place.operation);
  const breaks = { value, type: type ?? value, zone: zone ?? value };

  function faultOf(id: string, [words, way, kind = "value", facts]: Wrong): Fault {
    const broken = isKind(kind) ? breaks[kind] : kind;
    if (broken === undefined) throw new Error(`The fault ${id} of ${name} breaks nothing`);
    const about = `The member ${name} of ${place.of} ${words}.`;
    return fault(id, broken, about, showing(place, name, way, sentAs), { ...shared, ...facts });
  }

  return [
    ...ofFamilies.map((family) => faultOf(family, families[family])),
    ...Object.entries(special).map(([id, wrong]) => faultOf(id, wrong)),
  ];
}

function isKind(kind: keyof Breaks | Broken): kind is keyof Breaks {
  return kind === "value" || kind === "type" || kind === "zone";
}

/** Shows a member in this way wherever a response shows its object. */
function showing(place: Place, name: string, way: Way, sentAs: string | undefined): Change {
  return remembering(() => {
    let nth = 0;
    let first: unknown;
    return place.change((body, call) => {
      const value = body[name];
      const right = sentAs === undefined ? value : sent(call)[sentAs];
      nth += 1;
      first ??= right;
      const wrong = way({ value, right, first, nth, body, call });
      return wrong === undefined ? omit(name)(body) : { ...body, [name]: wrong };
    });
  });
}

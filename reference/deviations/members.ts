import type { OperationName } from "../../spec/operations.ts";
import { decoded } from "../application.ts";
import {
  batchOperation,
  listedBatch,
  omit,
  remembering,
  sent,
  success,
  type Edit,
  type Json,
} from "../change.ts";
import type { Call, Change } from "../policy.ts";
import { deviation, type Broken, type Condition, type Deviation, type Facts } from "./deviation.ts";

/** For some members, the name that ids contain. Other members use their full names. */
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
  /** The beginning of the ids. */
  readonly prefix: string;
  readonly operation?: OperationName;
  readonly of: string;
  /** Makes the change that edits the object wherever responses show it. */
  readonly change: (edit: Edit) => Change;
}

function placeOf(operation: OperationName, prefix: string, of: string): Place {
  return { operation, prefix, of, change: (change) => success(operation, change) };
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
  /** The value that it should have: what was sent, if the member repeats the request. */
  readonly right: unknown;
  /** The right value of the first object that this server showed. */
  readonly first: unknown;
  /** The number of this object among those that this server showed, from 1. */
  readonly nth: number;
  readonly body: Json;
  readonly call: Call;
}

/** Makes the value that a faulty server shows. If it returns undefined, the member is left out. */
export type WrongValue = (shown: ShownMember) => unknown;

/**
 * The requirements that a member breaks: with another value, with a value of another JSON type, or
 * with a time without a zone.
 */
type BrokenByMember = Readonly<Partial<Record<"value" | "type" | "zone", Broken>>>;

/**
 * A fault of a member. `words` ends the sentence that begins with the name of the member. Without
 * `breaks`, the fault breaks the requirement for `value`.
 */
type WrongMember = readonly [
  words: string,
  way: WrongValue,
  breaks?: keyof BrokenByMember | Broken,
  when?: Condition,
  needs?: Facts["needs"],
];

/** Shows this value in every response. */
export function fixedValue(value: unknown): WrongValue {
  return () => value;
}

/** Shows a value that is made from the right one. Without a right one, leaves the member out. */
export function fromRight<T>(change: (right: T) => unknown): WrongValue {
  return ({ right }) => (right === undefined ? undefined : change(right as T));
}

/** Shows a text that is made from the right one. Another value stays as it is. */
function fromText(change: (text: string) => unknown): WrongValue {
  return ({ right }) => (typeof right === "string" ? change(right) : right);
}

/** Shows a value that is made from the whole object, or from the request. */
export function fromBody(valueOf: (body: Json, call: Call) => unknown): WrongValue {
  return ({ body, call }) => valueOf(body, call);
}

/** Shows the value that the client sent for a member which the server should decide. */
export function ofClient(name: string): WrongValue {
  return fromBody((body, call) => sent(call)[name] ?? body[name]);
}

/** Shows a wrong value in the responses to some requests. */
export function inSomeCalls(isHit: (call: Call) => boolean, wrong: unknown): WrongValue {
  return ({ value, call }) => (isHit(call) ? wrong : value);
}

/** Shows a wrong value where the member should be absent or null. */
export function ifAbsent(wrong: unknown): WrongValue {
  return ({ value }) => value ?? wrong;
}

/** Shows the member wrongly from the second object on. */
export function fromSecondOn(way: WrongValue): WrongValue {
  return (shown) => (shown.nth > 1 ? way(shown) : shown.value);
}

export const leftOut: WrongValue = () => undefined;

/** Shows an object with null for the member `name` if it lacks that member. */
function withNull(name: string): WrongValue {
  return fromRight((object: Json) => ({ [name]: null, ...object }));
}

const withSpace = fromText((time) => time.replace("T", " "));

/**
 * Faults that fit many members. The key of each is the last part of its id: `null` in `…-null`.
 * Each call of `member` lists the keys that fit its member.
 */
const families = {
  missing: ["is missing", leftOut],
  null: ["is null", fixedValue(null), "type"],
  number: ["is a number", fixedValue(17), "type"],
  string: ["is a string", fromRight(String), "type"],
  object: ["is an object that holds the right value", fromRight((value) => ({ value })), "type"],
  "upper-case": ["is in upper case", fromText((text) => text.toUpperCase())],
  "lower-case": ["is in lower case", fromText((text) => text.toLowerCase())],
  slash: ["contains a slash", fromText((pair) => pair.replace(/^.../, "$&/"))],
  swapped: ["has its currencies swapped", fromText((pair) => pair.slice(3) + pair.slice(0, 3))],
  space: ["has a space instead of the T", withSpace],
  "without-zone": ["has no zone", fromText((time) => time.replace("Z", "")), "zone"],
  empty: ["is {} if there is none", ifAbsent({}), "value", "data"],
  "iban-null": ["has a null iban if there is none", withNull("iban"), "type", "data"],
  "of-first": ["is always that of the first one", ({ first }) => first, "value", "later"],
  "space-later": [
    "has a space instead of the T from the second one on",
    fromSecondOn(withSpace),
    "value",
    "later",
  ],
  "missing-later": ["is missing from the second one on", fromSecondOn(leftOut), "value", "later"],
  "null-later": ["is null from the second one on", fromSecondOn(fixedValue(null)), "type", "later"],
  "percent-decoded": ["is decoded as a part of a URL is", fromText(decoded), "value", "data"],
  "start-trimmed": [
    "loses the blanks in front",
    fromText((text) => text.trimStart()),
    "value",
    "data",
  ],
  "cut-after-255-bytes": [
    "is cut after 255 bytes",
    fromText((text) => Buffer.from(text).subarray(0, 255).toString()),
    "value",
    "data",
  ],
  "null-if-word": [
    "is null if it is the word null",
    fromText((text) => (text === "null" ? null : text)),
    "type",
    "data",
  ],
  "number-if-digits": [
    "is a number if it spells one",
    fromText((text) => (String(Number(text)) === text ? Number(text) : text)),
    "type",
    "data",
  ],
} as const satisfies Record<string, WrongMember>;

type MemberFacts = BrokenByMember &
  Pick<Facts, "needs"> & {
    /** The member of the request whose value this member repeats. */
    readonly sentAs?: string;
  };

/**
 * Makes the faults of a member: those of `families` that `ofFamilies` names, and `special` ones,
 * whose keys are the last parts of their ids.
 */
export function member(
  place: Place,
  name: string,
  { value, type, zone, sentAs, needs }: MemberFacts,
  ofFamilies: readonly (keyof typeof families)[],
  special: Readonly<Record<string, WrongMember>> = {},
): readonly Deviation[] {
  const breaks = { value, type: type ?? value, zone: zone ?? value };

  function faultOf(id: string, [words, way, kind = "value", when, own]: WrongMember): Deviation {
    const broken = isKind(kind) ? breaks[kind] : kind;
    if (broken === undefined) throw new Error(`The fault ${id} of ${name} breaks nothing`);
    return deviation(
      `${place.prefix}${shortNames[name] ?? name}-${id}`,
      `The member ${name} of ${place.of} ${words}.`,
      showing(place, name, way, sentAs),
      { breaks: broken, when, needs: needs || own ? { ...needs, ...own } : undefined },
      place.operation,
    );
  }

  return [
    ...ofFamilies.map((family) => faultOf(family, families[family])),
    ...Object.entries(special).map(([id, wrong]) => faultOf(id, wrong)),
  ];
}

function isKind(kind: keyof BrokenByMember | Broken): kind is keyof BrokenByMember {
  return kind === "value" || kind === "type" || kind === "zone";
}

/** Shows a member in this way wherever a response shows its object. */
function showing(place: Place, name: string, way: WrongValue, sentAs: string | undefined): Change {
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

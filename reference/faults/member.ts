import type { OperationName } from "../../spec/operations.ts";
import { batchOperation, edit, listedBatch, omit, remembering, rename, sent, set, success } from "../change.ts";
import type { Edit, Json } from "../change.ts";
import { bankMembers, type Call, type Change } from "../policy.ts";
import { rowsAnywhere, type Broken, type Facts, type Fault } from "./fault.ts";

/** The names of members in the ids of faults, where they are others. */
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

interface Place {
  /** How the ids of its faults begin. */
  readonly prefix: string;
  readonly operation?: OperationName;
  readonly of: string;
  /** Edits the object wherever it shows. */
  readonly change: (edit: Edit) => Change;
}

const placeOf = (operation: OperationName, prefix: string, of: string, change?: Place["change"]): Place => ({
  operation,
  prefix,
  of,
  change: change ?? ((edit) => success(operation, edit)),
});

export const places = {
  token: placeOf("createToken", "", "the response"),
  counterparty: placeOf("createCounterparty", "counterparty-", "a counterparty"),
  operation: placeOf("createOperation", "operation-", "an operation"),
  item: placeOf("addAcamItem", "acam-", "the response"),
  batch: placeOf("createBatch", "batch-", "a batch"),
  list: placeOf("listBatches", "list-", "the list"),
  listed: placeOf("listBatches", "list-", "a listed batch", listedBatch),
  listedBatch: placeOf("listBatches", "list-batch-", "a listed batch", listedBatch),
  batched: { prefix: "batched-", of: "a batched operation", change: batchOperation },
} satisfies Record<string, Place>;

/** A member of an object in responses. `sentAs` names the member of the request whose value it repeats. */
interface Member {
  readonly name: string;
  readonly sentAs?: string;
}

/** Shows a member wrongly. Called once for each server, so that it can keep state. */
export type Way = (member: Member) => Edit;

/** What a member breaks: with another value, with a value of another JSON type, with a time that has no zone. */
type Breaks = Readonly<Partial<Record<"value" | "type" | "zone", Broken>>>;

/** `words` ends the sentence that begins with the member. Without `breaks`, the fault breaks what another value breaks. */
type Wrong = readonly [words: string, way: Way, breaks?: keyof Breaks | Broken, facts?: Facts];

export const as =
  (value: unknown): Way =>
  ({ name }) =>
    set({ [name]: value });

/** Shows a value made from the right one, which is that of the request if the member repeats it. */
export const by =
  <T>(change: (value: T) => unknown): Way =>
  ({ name, sentAs }) =>
    sentAs === undefined ? edit(name, change) : from((_body, call) => change(sent(call)[sentAs] as T))({ name });

export const from =
  (valueOf: (body: Json, call: Call) => unknown): Way =>
  ({ name }) =>
  (body, call) => ({ ...body, [name]: valueOf(body, call) });

export const where =
  (isHit: (call: Call) => boolean, value: unknown): Way =>
  ({ name }) =>
  (body, call) =>
    isHit(call) ? { ...body, [name]: value } : body;

export const absentAs =
  (value: unknown): Way =>
  ({ name }) =>
    from((body) => body[name] ?? value)({ name });

export const leftOut: Way = ({ name }) => omit(name);

/** Shows the member under another name. */
export const isCalled = (to: string): Wrong => [`is called ${to}`, ({ name }) => rename(name, to)];

/** Shows a member wrongly from the second object on. */
export const later =
  (way: Way): Way =>
  (member) => {
    let n = 0;
    return (body, call) => ((n += 1) > 1 ? way(member)(body, call) : body);
  };

const ofFirst: Way = (member) => {
  let first: unknown;
  return by((value) => (first ??= value))(member);
};

const withNull = (name: string): Way => by((object: Json) => ({ [name]: null, ...object }));

/** Ways that fit many members, by the end of the id. A fault of a family is one word in the row of a member. */
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
  empty: ["is {} if there is none", absentAs({})],
  nulls: [
    "is an object of nulls if there is none",
    absentAs(Object.fromEntries(bankMembers.map((it) => [it, null]))),
    "type",
  ],
  "iban-null": ["has a null iban if there is none", withNull("iban"), "type"],
  "routing-number-null": ["has a null aba_routing_number if there is none", withNull("aba_routing_number"), "type"],
  "of-first": ["is always that of the first one", ofFirst],
  "missing-later": ["is missing from the second one on", later(leftOut)],
  "null-later": ["is null from the second one on", later(as(null)), "type"],
} as const satisfies Record<string, Wrong>;

export const ofTimes = ["space", "without-zone", "epoch"] as const;

/** Faults of a member: of families, and special ones by the end of their ids. */
export function member(
  place: Place,
  name: string,
  { value, type, zone, sentAs, ...facts }: Breaks & Facts & { readonly sentAs?: string },
  ofFamilies: readonly (keyof typeof families)[],
  special: Readonly<Record<string, Wrong>> = {},
): readonly Fault[] {
  const row = rowsAnywhere(`${place.prefix}${shortNames[name] ?? name}-`, place.operation);
  const shown: Member = { name, sentAs };
  const wrongs: readonly (readonly [string, Wrong])[] = [
    ...ofFamilies.map((family) => [family, families[family]] as const),
    ...Object.entries(special),
  ];
  return wrongs.map(([id, [words, way, kind = "value", own = facts]]) => {
    const broken =
      kind === "value" || kind === "type" || kind === "zone" ? ({ value, type, zone }[kind] ?? value) : kind;
    if (broken === undefined) throw new Error(`The fault ${id} of ${name} breaks nothing`);
    const about = `The member ${name} of ${place.of} ${words}.`;
    return row(id, broken, about, own).by(remembering(() => place.change(way(shown))));
  });
}

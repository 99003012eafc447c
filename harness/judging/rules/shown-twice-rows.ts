import { isDeepStrictEqual } from "node:util";
import { isObject, memberOf, type Json } from "../../../spec/json.ts";
import type { RequirementId } from "../../../spec/catalogue.ts";
import type { ResourceKind } from "../../../spec/endpoints.ts";
import { elementsOf } from "../observations.ts";
import { isDateTime } from "../response-schemas.ts";

/**
 * A time as a text gives it, in nanoseconds since the epoch, and how much its last digit is worth.
 * Of a text without a fraction that is a second; of one whose digits are all zero, too. Of one that
 * ends in a whole minute it is a minute.
 */
interface ShownTime {
  readonly at: bigint;
  readonly digit: bigint;
}

const second = 1_000_000_000n;
const minute = 60n * second;

/** Whether a value is a date-time of RFC 3339. */
const isTime = (value: Json): boolean => shownTime(value) !== undefined;

function shownTime(text: Json): ShownTime | undefined {
  if (typeof text !== "string" || !isDateTime(text)) return undefined;
  const [, before = "", digits = "", zone = ""] =
    /^(.*?)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  // A leap second has no milliseconds of its own in JavaScript.
  const whole = Date.parse(`${before.replace(/:60$/, ":59").toUpperCase()}${zone.toUpperCase()}`);
  if (Number.isNaN(whole)) return undefined;
  const nine = digits.slice(0, 9);
  const fraction = BigInt(nine.padEnd(9, "0"));
  const unit = before.endsWith(":00") ? minute : second;
  return {
    at: BigInt(whole) * 1_000_000n + fraction,
    digit: fraction === 0n ? unit : 10n ** BigInt(9 - nine.length),
  };
}

/**
 * The instants that a text can stand for, truncated or rounded: from half a digit before it to a
 * digit after it.
 */
const rangeOf = ({ at, digit }: ShownTime) => ({ from: at - digit / 2n, to: at + digit });

/**
 * How a time differs from another one, in words: `3 h later`, where whole quarters of an hour lie
 * between them, as after a mistake with a zone, or `another instant`. Undefined if there is an
 * instant of which both texts can be made by truncating or rounding (INT-59), or if a text is no
 * time.
 */
function differenceInTime(first: Json, again: Json): string | undefined {
  const [one, other] = [shownTime(first), shownTime(again)];
  if (one === undefined || other === undefined) return undefined;
  const [a, b] = [rangeOf(one), rangeOf(other)];
  if (a.from < b.to && b.from < a.to) return undefined;
  const gap = Number((other.at - one.at) / 1_000_000n);
  const quarters = Math.round(gap / quarter);
  if (quarters === 0 || Math.abs(gap - quarters * quarter) > 1000) return "another instant";
  const hours = Math.abs(quarters) / 4;
  return `${hours < 1 ? `${hours * 60} min` : `${hours} h`} ${quarters > 0 ? "later" : "earlier"}`;
}

const quarter = 15 * 60_000;

/**
 * With what a member is compared. `creation`: the same member in the first response that showed the
 * thing. `customer`: the customer under which the counterparty of the operation was registered.
 * `batch`: that member of the batch around the operation, or its id. `operations`: the number of operations
 * beside it. `other batch`: where another batch, of this response or of another creation, shows the
 * same operation. `request`: what the request that created it says of members that only responses
 * have, which must not come back.
 */
type First = "creation" | "request" | "customer" | "batch" | "operations" | "other batch";

/** In which way a value differs from the one that was shown first. */
export interface Difference {
  /** Where inside the member, as a JSON pointer. Empty for the member itself. */
  readonly at: string;
  readonly first: Json;
  readonly again: Json | undefined;
  /** The difference in words, if it has some of its own: `3 h later`. */
  readonly how?: string;
}

/** The difference of two values that are both present, of one type, and not null. */
type Tolerance = (first: Json, again: Json) => Difference | undefined;

/** One member of one thing that is shown twice, and agrees. */
export interface TwiceRow {
  readonly requirement: RequirementId;
  readonly of: ResourceKind;
  readonly member: string;
  readonly first: First;
  readonly differenceOf: Tolerance;
  /**
   * Only what this run created is judged: older data may have been made under other rules (INT-33).
   */
  readonly isOurs?: true;
  /** The member of the request that created the thing, whose value counts as shown first, too. */
  readonly sent?: string;
  /** The requirements that the same mistake breaks, wherever it shows. */
  readonly kin?: readonly RequirementId[];
  /** What is right, in words that follow the place, and what is wrong, as the cause names them. */
  readonly right: string;
  readonly wrong: string;
  /**
   * The title of a finding, in words that follow those of the response; with `kin`, those that come
   * before what is wrong.
   */
  readonly says: string;
}

const equal: Tolerance = (first, again) =>
  isDeepStrictEqual(first, again) ? undefined : { at: "", first, again };

const notAbove: Tolerance = (first, again) =>
  Number(again) <= Number(first) ? undefined : { at: "", first, again };

const sameInstant: Tolerance = (first, again) => {
  const how = differenceInTime(first, again);
  return how === undefined ? undefined : { at: "", first, again, how };
};

/**
 * Member by member. What is left out or null is not compared, but for a value that comes back under
 * another name; an object without members is another value.
 */
const eachMember: Tolerance = (first, again) => {
  if (!isObject(first) || !isObject(again)) return undefined;
  if (Object.keys(again).length === 0) return { at: "", first, again };
  const differ = ofAccount
    .map((name) => ({
      name,
      one: memberOf(first, name) ?? null,
      other: memberOf(again, name) ?? null,
    }))
    .filter(({ one, other }) => typeof one === "string" && one !== other);
  for (const { name, one } of differ) {
    const moved = ofAccount.find(
      (key) => memberOf(again, key) === one && memberOf(first, key) !== one,
    );
    if (moved !== undefined)
      return {
        at: `/${moved}`,
        first: memberOf(first, moved) ?? null,
        again: one,
        how: `the value of ${name} comes back as ${moved}`,
      };
  }
  const changed = differ.find(({ other }) => typeof other === "string");
  return changed && { at: `/${changed.name}`, first: changed.one, again: changed.other };
};

/** A value of the request that comes back, or a time that is the same instant. */
const comesBack: Tolerance = (first, again) =>
  first === again || ([first, again].every(isTime) && sameInstant(first, again) === undefined)
    ? { at: "", first, again }
    : undefined;

/** An operation that only the request for the batch names. */
const holdsNone: Tolerance = (first, again) => {
  const ids = elementsOf(first).map((one) => memberOf(one, "operation_id"));
  const at = elementsOf(again).findIndex((one) => ids.includes(memberOf(one, "operation_id")));
  return at < 0 ? undefined : { at: `/${at}`, first, again: elementsOf(again)[at] };
};

/** The members of an account; those of a bank are among them. */
const ofAccount = [
  "bank_name",
  "swift_code",
  "bank_country",
  "account_number",
  "iban",
  "aba_routing_number",
] as const;

type Words = Partial<Pick<TwiceRow, "sent" | "kin" | "right" | "wrong" | "says">>;

/** A time that is off by the same amount is one mistake, wherever it shows. */
const ofTimes: Words = {
  kin: ["BATCH-37", "BATCH-38"],
  right: "the created_at that was shown first",
  says: "created_at, shown again, is",
};

const nouns: Readonly<Partial<Record<ResourceKind, string>>> = {
  batch: "a batch is listed with",
  operation: "an operation in a batch has",
};

/** A row for a member that the creation showed first. `word`: what findings call the member. */
function asCreated(
  requirement: RequirementId,
  of: ResourceKind,
  member: string,
  differenceOf: Tolerance,
  { word = member, ...more }: Words & { readonly word?: string } = {},
): TwiceRow {
  return {
    requirement,
    of,
    member,
    first: "creation",
    differenceOf,
    right: `the ${word} that the ${of} was created with`,
    wrong: "another value",
    says: `${nouns[of]} another ${word} than it was created with`,
    ...more,
  };
}

const repeats = (sent: string) => ({ sent });

/**
 * Everything that a run or a recording shows twice (INT-51, INT-59 to INT-61). A row more is a line
 * here; its level and its words for people are in its requirement.
 */
export const twiceRows: readonly TwiceRow[] = [
  asCreated("BATCH-27", "batch", "currency_pair", equal, {
    ...repeats("currency_pair"),
    word: "pair",
    wrong: "another pair",
  }),
  asCreated("BATCH-37", "batch", "created_at", sameInstant, ofTimes),
  asCreated("BATCH-36", "operation", "currency_pair", equal, repeats("currency_pair")),
  asCreated("BATCH-36", "operation", "foreign_currency_amount", equal, repeats("currency_amount")),
  asCreated("BATCH-36", "operation", "counterparty_id", equal, repeats("counterparty_id")),
  asCreated("BATCH-38", "operation", "created_at", sameInstant, ofTimes),
  asCreated("BATCH-39", "operation", "bank_account", eachMember),
  asCreated("BATCH-39", "operation", "intermediary_bank", eachMember),
  {
    requirement: "BATCH-40",
    of: "operation",
    member: "customer_id",
    first: "customer",
    differenceOf: equal,
    right: "the customer whose counterparty it is for",
    wrong: "another customer",
    says: "an operation in a batch has another customer_id than its counterparty was registered under",
  },
  {
    requirement: "BATCH-41",
    of: "operation",
    member: "currency_pair",
    first: "batch",
    isOurs: true,
    differenceOf: equal,
    right: "the currency_pair of the batch",
    wrong: "another pair",
    says: "a batch holds an operation of another pair",
  },
  {
    requirement: "BATCH-35",
    of: "operation",
    member: "batch_id",
    first: "batch",
    differenceOf: equal,
    right: "/operations/*/batch_id = the id of the batch",
    wrong: "another id",
    says: "an operation in a batch names another batch",
  },
  {
    requirement: "BATCH-42",
    of: "batch",
    member: "operation_count",
    first: "operations",
    isOurs: true,
    differenceOf: notAbove,
    right: "at most the number of operations shown",
    wrong: "a larger number",
    says: "operation_count is larger than the number of operations beside it",
  },
  notAsSent("CPTY-13", "counterparty", "id"),
  notAsSent("OPER-45", "operation", "operation_id"),
  notAsSent("OPER-45", "operation", "created_at"),
  notAsSent("BATCH-45", "batch", "id"),
  notAsSent("BATCH-45", "batch", "status"),
  notAsSent("BATCH-45", "batch", "created_at"),
  {
    ...notAsSent("BATCH-46", "batch", "operations"),
    differenceOf: holdsNone,
    says: "a batch holds an operation that nobody created",
  },
  inOneBatch("BATCH-43", "batch_id"),
  inOneBatch("BATCH-44", "operation_id"),
];

/** A row for a member that only responses have: what a request says of it decides nothing. */
function notAsSent(requirement: RequirementId, of: ResourceKind, member: string): TwiceRow {
  return {
    requirement,
    of,
    member,
    first: "request",
    differenceOf: comesBack,
    right: "a value of the server's own",
    wrong: "the value of the request",
    says: `${member} is the one that the request made up`,
  };
}

/** A row for operations that name their batch (`batch_id`), or that do not. */
function inOneBatch(requirement: RequirementId, member: string): TwiceRow {
  return {
    requirement,
    of: "operation",
    member,
    first: "other batch",
    isOurs: true,
    differenceOf: equal,
    right: "one batch for an operation",
    wrong: "two batches",
    says: "an operation is in two batches at once",
  };
}

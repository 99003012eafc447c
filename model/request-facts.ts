import type { InputKind } from "../spec/refusals.ts";
import { notFinite } from "./run.ts";
import { takesToken, type OperationName } from "../spec/operations.ts";
import { classOf, isObject, memberOf, valueAt, type Json } from "../spec/json.ts";
import {
  fieldOf,
  isOtherMethod,
  isSuccess,
  longestWindow,
  utf8,
  withoutDigits,
  type Exchange,
  type SentRequest,
} from "./exchange.ts";
import { pageTitleIn } from "./html-page.ts";

/**
 * What was chosen when a request was made, and when the request was in flight. Affected requests
 * may have these facts in common.
 */
export interface RequestFacts {
  /** The id of the exchange. */
  readonly id: number;
  readonly operation: OperationName;
  /**
   * When the request started, in milliseconds since the run started, and how long it took until the
   * end of the response.
   */
  readonly at: number;
  readonly took: number;
  /** The status of the response. */
  readonly status: number;
  /** The request breaks a rule. */
  readonly isInvalid?: true;
  /**
   * The Authorization header is missing, or has no two parts, although the operation takes a token.
   */
  readonly authorization?: "none" | "one part";
  /** The body of the request is not JSON. */
  readonly isUnreadable?: true;
  /** The body of the request is not UTF-8. */
  readonly isNotUtf8?: true;
  /** The request has a body that is not a JSON object. */
  readonly isNoObject?: true;
  /** What the response says of an exception: `TypeError at /batches`. */
  readonly exception?: string;
  /**
   * The values of an invalid request that the server took in by accepting it, each as its member
   * and its kind: `foreign_currency_amount: a boolean`.
   */
  readonly broughtIn?: readonly string[];
  /** The kind of mistake in an invalid request. */
  readonly input?: InputKind;
  /** What makes the request unusual or invalid: `with null at /name`. */
  readonly change?: string;
  /** The changes that share the request: `with null at /name`. Absent if there is one. */
  readonly parts?: readonly string[];
  /** The odd text in the request, whichever member holds it: `a quote as in SQL`. */
  readonly odd?: string;
  /** The method is none of the operation. */
  readonly hasOtherMethod?: true;
  /** The names in the query. Absent if there is no query. */
  readonly parameters?: readonly string[];
  /**
   * Where the request has another text than a valid one, as JSON pointers, and how many characters
   * it has.
   */
  readonly texts?: Readonly<Record<string, number>>;
  /**
   * What the texts of the request contain that some servers trip over: `a double quote`. Absent if
   * they contain no such thing.
   */
  readonly marks?: readonly string[];
  readonly pair?: string;
  readonly purpose?: string;
  /**
   * What the item, the counterparty, or the counterparty of the operation has or lacks, in words
   * that follow "with": `a bank in CH`, `no IBAN`, `an item before it`.
   */
  readonly having?: readonly string[];
  readonly amount?: number;
  /** The number of decimals of the amount. Absent where a double has hardly room for them. */
  readonly decimals?: number;
  readonly trial?: Trial;
}

/** What was shown by sending a request that crashed again: alone, and with other values. */
export interface Trial {
  /** The same request, sent alone, crashed again. */
  readonly comesBack: boolean;
  /** Where one odd value is enough, as a JSON pointer. */
  readonly place?: string;
  /** A plain text at the place crashes too if it has more characters than this. */
  readonly over?: number;
  /** Amounts crash from this one on. */
  readonly from?: number;
}

/** How many operations and how many counterparties are remembered: more than a usual run creates. */
const mostRemembered = 20_000;

/**
 * Returns a function that makes the facts of the request in an exchange. `redact` redacts the
 * texts. A request for an ACAM item gets the currency pair of its operation, and one for an
 * operation gets what its counterparty has.
 */
export function createRequestFacts(
  redact: (text: string) => string,
): (exchange: Exchange) => RequestFacts {
  const pairs = new Map<string, Json>();
  const payees = new Map<string, readonly string[]>();
  const withItem = new Set<string>();
  return (exchange) => {
    const { operation, request, json } = exchange;
    const own = memberOf(request.json, "currency_pair");
    if (operation === "addAcamItem") {
      const id = operationIdIn(request.url);
      const having = partsOfItem(request, withItem.has(id));
      if (isSuccess(exchange) && withItem.size < mostRemembered) withItem.add(id);
      return requestFactsOf(exchange, { pair: pairs.get(id), having }, redact);
    }
    if (operation === "createCounterparty") {
      const having = partsOfPayee(request.json, redact);
      remember(payees, memberOf(json, "id"), having);
      return requestFactsOf(exchange, { pair: own, having }, redact);
    }
    if (operation !== "createOperation") return requestFactsOf(exchange, { pair: own }, redact);
    remember(pairs, memberOf(json, "operation_id"), own);
    const payee = memberOf(request.json, "counterparty_id");
    const having = typeof payee === "string" ? payees.get(payee) : undefined;
    return requestFactsOf(exchange, { pair: own, having }, redact);
  };
}

function remember<T>(known: Map<string, T>, id: Json | undefined, value: T | undefined): void {
  if (typeof id === "string" && value !== undefined && known.size < mostRemembered)
    known.set(id, value);
}

/** Members that a counterparty may have or lack, each with its name in words. */
const optionalParts = [
  ["IBAN", "an IBAN", "/bank_account/iban"],
  ["ABA number", "an ABA number", "/bank_account/aba_routing_number"],
  ["intermediary bank", "an intermediary bank", "/intermediary_bank"],
  ["address", "an address", "/counterparty_address"],
  ["external id", "an external id", "/external_id"],
] as const;

function partsOfPayee(
  json: Json | undefined,
  redact: (text: string) => string,
): readonly string[] | undefined {
  const country = valueAt(json, "/bank_account/bank_country");
  if (typeof country !== "string" || country.length > longestCountry) return undefined;
  const number = valueAt(json, "/bank_account/account_number");
  return [
    `a bank in ${redact(country)}`,
    ...(typeof number === "string" && number.startsWith("0")
      ? ["an account number that begins with zero"]
      : []),
    ...optionalParts.map(([lacking, having, at]) =>
      (valueAt(json, at) ?? null) === null ? `no ${lacking}` : having,
    ),
  ];
}

/** Longer texts are odd, and no code of a country. */
const longestCountry = 3;

/** What an item has: a tax id of some length, and an operation that got an item before or not. */
function partsOfItem({ json }: SentRequest, isFurther: boolean): readonly string[] {
  const taxId = memberOf(json, "tax_id");
  const isNumber = typeof taxId === "string" && /^\d+$/.test(taxId);
  return [
    ...(isNumber ? [`a tax id of ${taxId.length} digits`] : []),
    isFurther ? "an item before it" : "no item before it",
  ];
}

/** The operation id in the path of a request for an ACAM item. Empty in another path. */
const operationIdIn = (url: string): string => /\/operation\/([^/]+)\/acam$/.exec(url)?.[1] ?? "";

function requestFactsOf(
  exchange: Exchange,
  { pair, having }: { readonly pair?: Json | undefined } & Pick<Partial<RequestFacts>, "having">,
  redact: (text: string) => string,
): RequestFacts {
  const { id, operation, at, intent, request, response } = exchange;
  const isValid = intent.kind === "valid";
  const text = (value: Json | undefined): string | undefined =>
    typeof value === "string" ? redact(value) : undefined;
  const amount = memberOf(request.json, "currency_amount");
  const isUnreadable = request.json === undefined && (request.body?.length ?? 0) > 0;
  return {
    id,
    operation,
    at: Math.round(at),
    took: Math.round(response.took),
    status: response.status,
    isInvalid: intent.kind === "invalid" ? true : undefined,
    authorization: authorizationIn(operation, request),
    isUnreadable: isUnreadable ? true : undefined,
    isNotUtf8: request.body !== undefined && utf8(request.body) === undefined ? true : undefined,
    isNoObject: hasNoObject(request) ? true : undefined,
    exception: response.status < 500 ? undefined : exceptionIn(redact(beginningOf(response.body))),
    broughtIn: intent.kind === "invalid" && isSuccess(exchange) ? broughtInBy(request) : undefined,
    change: isValid ? undefined : redact(intent.change),
    input: isValid ? undefined : intent.input,
    odd: isValid ? undefined : intent.odd,
    parts: isValid ? undefined : intent.parts?.map(redact),
    texts: isValid ? undefined : lengthsAt(intent.places, request.json),
    hasOtherMethod: isOtherMethod(exchange) ? true : undefined,
    parameters: parametersIn(request.url),
    marks: marksIn(isUnreadable ? textIn(request.body) : request.json),
    pair: text(pair),
    purpose: text(memberOf(request.json, "operation_purpose")),
    having,
    amount: typeof amount === "number" ? amount : undefined,
    decimals: typeof amount === "number" && amount < 1e12 ? decimalsOf(amount) : undefined,
  };
}

function lengthsAt(places: readonly string[] | undefined, json: Json | undefined) {
  const lengths = places?.flatMap((place) => {
    const text = valueAt(json, place);
    return typeof text === "string" ? [[place, [...text].length] as const] : [];
  });
  return lengths && Object.fromEntries(lengths);
}

/** The names in the query of a request. Undefined if it has none. */
function parametersIn(url: string): readonly string[] | undefined {
  const [, query = ""] = url.split("?", 2);
  return query === "" ? undefined : [...new Set(new URLSearchParams(query).keys())];
}

/** What the Authorization header lacks. Undefined if it has two parts or more, or need not be there. */
function authorizationIn(
  operation: OperationName,
  { headers }: SentRequest,
): RequestFacts["authorization"] {
  if (!takesToken(operation)) return undefined;
  const header = fieldOf(headers, "authorization");
  if (header === undefined) return "none";
  return header.trim().includes(" ") ? undefined : "one part";
}

/**
 * Returns each member of a body with the kind of its value: `foreign_currency_amount: a boolean`.
 * The member has the name under which responses show it.
 */
function broughtInBy({ json, body = new Uint8Array() }: SentRequest): readonly string[] {
  const values = isObject(json) ? Object.entries(json).slice(0, mostLookedAt.values) : [];
  const kinds = values.map(([name, value]) => broughtInText(shownAs[name] ?? name, classOf(value)));
  return hasNotFinite(body) ? [...kinds, notFinite] : kinds;
}

/** Members of a request that responses show under another name. */
const shownAs: Readonly<Record<string, string>> = { currency_amount: "foreign_currency_amount" };

/** A member and the kind of its value, as they stand in `broughtIn`. */
export const broughtInText = (member: string, kind: string): string => `${member}: ${kind}`;

/** Whether a body has Infinity or NaN as a number, which JSON does not have. */
export function hasNotFinite(body: Uint8Array): boolean {
  const text = beginningOf(body);
  return /[:[,]\s*-?(?:Infinity|NaN)\s*[,\]}]/.test(text);
}

function beginningOf(body: Uint8Array): string {
  return new TextDecoder().decode(body.subarray(0, longestWindow));
}

/**
 * Whether a request has a body that is not a JSON object. Code that reads members fails on such a
 * body.
 */
export function hasNoObject({ json, body }: Pick<SentRequest, "json" | "body">): boolean {
  return body !== undefined && body.length > 0 && (!isObject(json) || utf8(body) === undefined);
}

/** The name for requests whose body is not a JSON object, in words that follow "requests". */
export const noObjectInput = "whose body is no JSON object";

/**
 * What the body of an error says of an exception: the name of the exception and the words after it,
 * without words that have digits. Undefined if there is no exception, or only a name, which many
 * mistakes share. `body` is redacted already, because a secret that is cut in two would not be.
 */
export function exceptionIn(body: string): string | undefined {
  const text = body.slice(0, mostLookedAt.characters);
  const [found] = /\b[A-Z][\w.:]{0,100}(?:Error|Exception)\b[^\n"<>]{0,200}/.exec(
    pageTitleIn(text) ?? text,
  ) ?? [""];
  const words = withoutDigits(found).split(/\s+/).filter(Boolean);
  return words.length > 1 ? words.join(" ") : undefined;
}

/**
 * A body that is not JSON, as a text for the search for marks. Double quotes and line breaks are
 * left out, because they stand in the syntax of any JSON.
 */
function textIn(body: Uint8Array = new Uint8Array()): string {
  return new TextDecoder()
    .decode(body.subarray(0, mostLookedAt.characters))
    .replaceAll(/["\r\n]/g, "");
}

const marks: readonly (readonly [name: string, shape: RegExp])[] = [
  ["a double quote", /"/],
  ["an apostrophe", /'/],
  ["a quote", /["']/],
  ["a backslash", /\\/],
  ["an angle bracket", /[<>]/],
  ["an ampersand", /&/],
  ["a line break", /[\r\n]/],
  ["a character outside the basic plane", /[\u{10000}-\u{10ffff}]/u],
  ["a character outside ASCII", /[^\u0000-\u007f]/],
  ["more than 255 characters", /^[^]{256}/],
];

/** A text without any mark, as most texts are. */
const plainText = /^[\w .,:+/-]{0,255}$/;

/** How many values of a body are searched for marks, and how many characters of each text. */
const mostLookedAt = { values: 200, characters: 5_000 };

/** The marks of the texts in a body. Undefined if no text has a mark. */
function marksIn(body: Json | undefined): readonly string[] | undefined {
  const open: (Json | undefined)[] = [body];
  const found = new Set<string>();
  for (let seen = 0; seen < mostLookedAt.values && open.length > 0; seen += 1) {
    const value = open.pop();
    if (typeof value === "string") {
      if (plainText.test(value)) continue;
      const text = value.slice(0, mostLookedAt.characters);
      for (const [name, shape] of marks) if (shape.test(text)) found.add(name);
    } else if (typeof value === "object" && value !== null) {
      open.push(...Object.values(value).slice(0, mostLookedAt.values));
    }
  }
  return found.size === 0 ? undefined : marks.flatMap(([name]) => (found.has(name) ? [name] : []));
}

/** How many decimals a number has as it is written: 2 for `10.25`. */
export function decimalsOf(value: number): number {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const fraction = mantissa.split(".")[1] ?? "";
  return Math.max(0, fraction.length - Number(exponent));
}

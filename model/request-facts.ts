import type { Intent, Oddity } from "./request.ts";
import { takesToken, type OperationName } from "../spec/operations.ts";
import { isObject, memberOf, valueAt, type Json } from "../spec/json.ts";
import {
  fieldOf,
  isOtherMethod,
  isSuccess,
  longestWindow,
  utf8,
  withoutDigits,
  type Exchange,
  type SentRequest,
  pageTitleIn,
} from "./exchange.ts";
import { marksOf } from "./marks.ts";

/** Replaces the secrets in a text. */
type Redact = (text: string) => string;

/** What was shown by sending a request that crashed again: alone, and with less of what is odd. */
export interface Trial {
  /** The same request, sent alone, crashed again. */
  readonly comesBack: boolean;
  /** Where one odd text or number is enough, as a JSON pointer. */
  readonly place?: string;
  /** The header or the parameter of the query that is enough. Empty if any parameter is. */
  readonly header?: string;
  readonly parameter?: string;
  /** A plain text at the place crashes too if it has more characters than this. */
  readonly over?: number;
  /** Amounts crash from this one on. */
  readonly from?: number;
  /** What a text needs to have, such as `an apostrophe`. */
  readonly mark?: string;
  /** The same text crashes at another place, too. */
  readonly isAnywhere?: boolean;
}

/**
 * What was chosen when a request was made, and when the request was in flight. Affected requests
 * may have these facts in common.
 */
export interface RequestFacts extends Partial<Oddity> {
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
  readonly kind?: Intent["kind"];
  /** What is unlike a usual request of this operation, in words that follow "requests". */
  readonly traits?: readonly string[];
  /** What the response says of an exception: `TypeError at /batches`. */
  readonly exception?: string;
  /** The parameters in the query, each with its value: `page=abc`. */
  readonly parameters?: readonly string[];
  /** How many characters the texts of the body have, by their JSON pointers. */
  readonly texts?: Readonly<Record<string, number>>;
  /**
   * What the texts of the request contain that some servers trip over, and where: `a double quote`
   * at `/name`. The place is empty if the body is no JSON. Absent if they contain no such thing.
   */
  readonly marks?: Readonly<Record<string, readonly string[]>>;
  /** Where the body has a text that an earlier request had at the same place. */
  readonly again?: readonly string[];
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

/** How many operations and how many counterparties are remembered: more than a usual run creates. */
const mostRemembered = 20_000;

/**
 * Returns a function that makes the facts of the request in an exchange. `redact` redacts the
 * texts. A request for an ACAM item gets the currency pair of its operation, and one for an
 * operation gets what its counterparty has.
 */
export function createRequestFacts(redact: Redact): (exchange: Exchange) => RequestFacts {
  const things = new Map<string, ThingFacts>();
  const known = new Set<string>();
  const remember = (kind: string, id: Json | undefined, facts: ThingFacts): void => {
    if (typeof id === "string" && things.size < mostRemembered) things.set(`${kind} ${id}`, facts);
  };
  /** What the request has of what it names or creates. */
  const thingOf = ({ operation, request, json, response }: Exchange): ThingFacts => {
    const pair = memberOf(request.json, "currency_pair");
    if (operation === "addAcamItem") {
      const id = /\/operation\/([^/]+)\/acam$/.exec(request.url)?.[1] ?? "";
      const { hasItem = false, ...facts } = things.get(`operation ${id}`) ?? {};
      if (isSuccess({ response })) remember("operation", id, { ...facts, hasItem: true });
      return { ...facts, having: partsOfItem(request, hasItem) };
    }
    if (operation === "createCounterparty") {
      const having = partsOfPayee(request.json, redact);
      remember("payee", memberOf(json, "id"), { having });
      return { having };
    }
    if (operation !== "createOperation") return { pair };
    remember("operation", memberOf(json, "operation_id"), { pair });
    const payee = memberOf(request.json, "counterparty_id");
    return { ...(typeof payee === "string" && things.get(`payee ${payee}`)), pair };
  };
  /** By operation, the members that valid requests have had. */
  const usual = new Map<OperationName, Set<string>>();
  const hasUnknown = ({ operation, intent, request: { json } }: Exchange): boolean => {
    const members = usual.get(operation) ?? new Set();
    const names = isObject(json) ? Object.keys(json) : [];
    if (intent.kind !== "valid")
      return members.size > 0 && names.some((name) => !members.has(name));
    usual.set(operation, new Set([...members, ...names]));
    return false;
  };
  return (exchange) => {
    const texts = textsIn(exchange.request.json);
    const again = texts.flatMap(([place, text]) => {
      const key = `${exchange.operation} ${place} ${text}`;
      const isKnown = known.has(key);
      if (known.size < mostRemembered && key.length < longestRemembered) known.add(key);
      return isKnown ? [place] : [];
    });
    const facts = requestFactsOf(exchange, thingOf(exchange), texts, redact);
    const traits = [...(hasUnknown(exchange) ? ["with an unknown member"] : []), ...facts.traits];
    return { ...facts, traits, again };
  };
}

/** What is remembered of a counterparty or an operation. */
interface ThingFacts extends Pick<Partial<RequestFacts>, "having"> {
  readonly pair?: Json | undefined;
  readonly hasItem?: boolean;
}

/** Longer texts are not compared with those of later requests. */
const longestRemembered = 200;

/** Members that a counterparty may have or lack, each with its name in words. An empty text is none. */
const optionalParts = [
  ["IBAN", "/bank_account/iban"],
  ["ABA number", "/bank_account/aba_routing_number"],
  ["intermediary bank", "/intermediary_bank"],
  ["address", "/counterparty_address"],
  ["street", "/counterparty_address/address"],
  ["city", "/counterparty_address/city"],
  ["zip code", "/counterparty_address/zip_code"],
  ["state", "/counterparty_address/state"],
  ["country", "/counterparty_address/country"],
  ["external id", "/external_id"],
] as const;

function partsOfPayee(json: Json | undefined, redact: Redact): readonly string[] | undefined {
  if (!isObject(json)) return undefined;
  const country = valueAt(json, "/bank_account/bank_country");
  const isCode = typeof country === "string" && /^[A-Z]{1,3}$/i.test(country);
  const number = valueAt(json, "/bank_account/account_number");
  return [
    ...(isCode ? [`a bank in ${redact(country)}`] : []),
    ...(typeof number === "string" && number.startsWith("0")
      ? ["an account number that begins with zero"]
      : []),
    ...optionalParts.map(([part, at]) => {
      const article = /^[aei]/i.test(part) ? "an" : "a";
      return `${isLacking(valueAt(json, at)) ? "no" : article} ${part}`;
    }),
  ];
}

const isLacking = (value: Json | undefined): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

/** What an item has: a tax id of some length, and an operation that got an item before or not. */
function partsOfItem({ json }: SentRequest, isFurther: boolean): readonly string[] {
  const taxId = memberOf(json, "tax_id");
  const isNumber = typeof taxId === "string" && /^\d+$/.test(taxId);
  return [
    ...(isNumber ? [`a tax id of ${taxId.length} digits`] : []),
    isFurther ? "an item before it" : "no item before it",
  ];
}

function requestFactsOf(
  exchange: Exchange,
  { pair, having }: ThingFacts,
  texts: readonly PlacedText[],
  redact: Redact,
) {
  const { id, operation, at, intent, request, response } = exchange;
  const text = (value: Json | undefined): string | undefined =>
    typeof value === "string" ? redact(value) : undefined;
  const amount =
    memberOf(request.json, "currency_amount") ?? memberOf(request.json, "local_currency_amount");
  const isUnreadable = request.json === undefined && (request.body?.length ?? 0) > 0;
  return {
    id,
    operation,
    at: Math.round(at),
    took: Math.round(response.took),
    status: response.status,
    ...intent,
    ...(intent.kind !== "valid" && {
      change: redact(intent.change),
      parts: intent.parts?.map(redact),
    }),
    traits: traitsOf(exchange),
    exception: response.status < 500 ? undefined : exceptionIn(redact(beginningOf(response.body))),
    texts: Object.fromEntries(texts.map(([place, { length }]) => [place, length])),
    parameters: parametersIn(request.url).map(redact),
    marks: marksAt(isUnreadable ? [["", textIn(request.body)]] : texts),
    pair: text(pair),
    purpose: text(memberOf(request.json, "operation_purpose")),
    having,
    amount: typeof amount === "number" ? amount : undefined,
    decimals: typeof amount === "number" && amount < 1e12 ? decimalsOf(amount) : undefined,
  } satisfies RequestFacts;
}

/** What is unlike a usual request, the narrowest first. */
function traitsOf(exchange: Exchange): readonly string[] {
  const { operation, intent, request } = exchange;
  const { method, json, body = new Uint8Array() } = request;
  const takesBody = method === "POST" && operation !== "createToken";
  const isBlank = takesBody && (json === null || body.every((byte) => blanks.has(byte)));
  const isUnreadable = json === undefined && body.length > 0;
  const isNoObject = hasNoObject(request);
  const header = takesToken(operation) ? fieldOf(request.headers, "authorization") : "a key";
  const traits = {
    [noToken]: header === undefined,
    "whose Authorization header has no scheme and token": header?.trim().includes(" ") !== true,
    "with another method": isOtherMethod(exchange),
    "whose body is not UTF-8": utf8(body) === undefined,
    [notFiniteInput]: hasNotFinite(body),
    "with an empty or blank body, or null as the body": isBlank,
    "with malformed JSON or none": isUnreadable || (isBlank && !isNoObject),
    "with a JSON body that is no object": isNoObject && !isUnreadable,
    [noObjectInput]: isNoObject || isBlank,
    "that break a rule": intent.kind === "invalid",
  };
  return Object.entries(traits).flatMap(([trait, has]) => (has ? [trait] : []));
}

/** The trait of requests without a token. */
export const noToken = "without an Authorization header";

const blanks: ReadonlySet<number> = new Set(Buffer.from(" \t\r\n"));

/** The parameters in the query of a URL, each with its value: `page=abc`. */
export function parametersIn(url: string): readonly string[] {
  const [, query = ""] = url.split("?", 2);
  return query.split("&").filter((pair) => pair !== "");
}

/** The trait of requests whose body has Infinity or NaN as a number. */
export const notFiniteInput = "with Infinity or NaN";

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

/** How many values of a body are searched for texts, and how many characters of each are kept. */
const mostLookedAt = { values: 200, characters: 5_000 };

type PlacedText = readonly [place: string, text: string];

/** The texts in a body, each with its JSON pointer. */
export function textsIn(body: Json | undefined): readonly PlacedText[] {
  const open: (readonly [place: string, value: Json | undefined])[] = [["", body]];
  const found: PlacedText[] = [];
  for (let seen = 0; seen < mostLookedAt.values; seen += 1) {
    const [place, value] = open.pop() ?? [];
    if (place === undefined) break;
    if (typeof value === "string") found.push([place, value.slice(0, mostLookedAt.characters)]);
    else if (typeof value === "object" && value !== null)
      for (const [name, inner] of Object.entries(value).slice(0, mostLookedAt.values))
        open.push([`${place}/${name}`, inner]);
  }
  return found;
}

/** The marks of texts, each with the places where it stands. Undefined if no text has a mark. */
function marksAt(texts: readonly PlacedText[]): RequestFacts["marks"] {
  const found: Record<string, string[]> = {};
  for (const [place, text] of texts)
    for (const mark of marksOf(text)) (found[mark] ??= []).push(place);
  return Object.keys(found).length === 0 ? undefined : found;
}

/** How many decimals a number has as it is written: 2 for `10.25`. */
export function decimalsOf(value: number): number {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const fraction = mantissa.split(".")[1] ?? "";
  return Math.max(0, fraction.length - Number(exponent));
}

/**
 * What a trial has shown, but for the place, in words that follow "requests". Undefined if it has shown
 * nothing, or the place alone.
 */
export function shownBy(trial: Trial): string | undefined {
  const { over, from, mark, header, parameter } = trial;
  if (over !== undefined)
    return `with more than ${over} ${over === 1 ? "character" : "characters"}`;
  if (from !== undefined) return `with an amount of ${from} or more`;
  if (mark !== undefined) return `with ${mark}`;
  if (header !== undefined) return `with the header ${header}`;
  if (parameter === "") return "with a query";
  return parameter === undefined ? undefined : `with ${parameter.split("=")[0]} in the query`;
}

/** Whether a request has what a trial has shown to be enough, wherever else it is odd. */
export function isExplained(request: RequestFacts, trial: Trial): boolean {
  const { place, over, from, mark, header, parameter, isAnywhere = false } = trial;
  const { texts = {}, marks = {}, amount = 0 } = request;
  if (over !== undefined)
    return isAnywhere
      ? Object.values(texts).some((length) => length > over)
      : (texts[place ?? ""] ?? 0) > over;
  if (from !== undefined) return amount >= from;
  if (mark !== undefined)
    return isAnywhere ? marks[mark] !== undefined : marks[mark]?.includes(place ?? "") === true;
  if (header !== undefined) return request.headers?.includes(header) === true;
  if (parameter === "") return request.parameters?.[0] !== undefined;
  if (parameter !== undefined) return request.parameters?.includes(parameter) === true;
  return place !== undefined && request.places?.includes(place) === true;
}

/** So much longer than usual is a wait for something else. */
const longer = { times: 3, ms: 500 };

/**
 * How long a response takes that waited for something else, in milliseconds, at least, if responses
 * took so long: a tenth of them is quick even where many wait.
 */
export function longWait(took: readonly number[]): number {
  const quick = [...took].sort((one, other) => one - other)[Math.floor(took.length / 10)] ?? 0;
  return Math.max(quick * longer.times, quick + longer.ms);
}

import { beginningOf, readableBody, type BodyDefect } from "./bodies.ts";
import { bounds } from "./bounds.ts";
import type { InterpretationId } from "../spec/interpretations.ts";
import { isObject, memberOf, type Json } from "../spec/json.ts";
import { operations, type OperationName } from "../spec/operations.ts";
import type { Fields, Intent } from "./request.ts";

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Fields;
  readonly body: Uint8Array | undefined;
  /** The body as JSON; undefined if the body is not JSON. */
  readonly json: Json | undefined;
  /** The connection carried the same request with the good token right before. */
  readonly isAfterGood?: true;
  /** `RequestSpec.tokenInShell`. */
  readonly tokenInShell?: string;
}

export interface ReceivedResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Fields;
  /** The bytes of the body after content decoding. */
  readonly body: Uint8Array;
  readonly defect?: BodyDefect;
  /**
   * Milliseconds from the start of the request to the headers of the response (`waited`), and to
   * the end of the response (`took`).
   */
  readonly waited: number;
  readonly took: number;
}

/**
 * Why no response came: the connection could not be made, was lost, timed out, or did not speak
 * HTTP.
 */
export interface NetworkFailure {
  readonly kind: "connect" | "tls" | "dropped" | "timeout" | "protocol" | "aborted";
  /** A short message, with the system's code if there is one. */
  readonly message: string;
  /** How many other connections to the target were open. Present for a request on a new one. */
  readonly beside?: number;
  /** Milliseconds until the failure. */
  readonly took: number;
}

/** What came of a request: a response, or the reason why there is none. */
export type Sent = { readonly letGo?: () => void } & (
  | { readonly response: ReceivedResponse; readonly failure?: never }
  | { readonly failure: NetworkFailure; readonly response?: never }
);

export interface Origin {
  /** Permanent id of the scenario, or `session` for the requests of the session. */
  readonly id: string;
  readonly name: string;
  /** Requests of scenarios with a higher urgency are sent first. @defaultValue 0 */
  readonly urgency?: number;
  /**
   * The share of what a run may create that the requests of the scenario use. @defaultValue
   * ordinary
   */
  readonly share?: CreationShare;
}

/**
 * What a run may create is divided into shares: ordinary requests, proofs of failures, and checks
 * of credentials, which come last. So no kind of request uses up what another kind needs for the
 * verdicts of its requirements (INT-17).
 */
export type CreationShare = "ordinary" | "proof" | "credentials";

export interface Exchange {
  readonly id: number;
  readonly operation: OperationName;
  readonly intent: Intent;
  readonly scenario: string;
  readonly request: SentRequest;
  readonly response: ReceivedResponse;
  /** Milliseconds since the run started. */
  readonly at: number;
  /** The response body as JSON; `undefined` if it is incomplete, not UTF-8 or not well-formed. */
  readonly json: Json | undefined;
  /**
   * The interpretation by which only a crash is judged. Undefined if the rules judge everything.
   */
  readonly exemptBy: InterpretationId | undefined;
}

/**
 * The value of the first header with a name, which is given in lower case. The letter case of the
 * header does not matter.
 */
export function fieldOf(headers: Fields, name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1];
}

/** Headers from the raw form of Node and undici, in which names and values alternate. */
export function fieldsOf(raw: readonly string[]): Fields {
  const fields: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) fields.push([String(raw[i]), String(raw[i + 1])]);
  return fields;
}

/** Tells whether the status of a response is of one class: 2 for 2xx. */
const hasStatus =
  (hundreds: number) =>
  ({ response }: Pick<Exchange, "response">): boolean =>
    Math.floor(response.status / 100) === hundreds;

export const isSuccess = hasStatus(2);
export const isRedirection = hasStatus(3);
export const isRefusal = hasStatus(4);
export const isCrash = hasStatus(5);

/**
 * Whether a success is an HTML page, as of a firewall or a login form. It shows neither that the
 * server accepted the request nor that it refused it (INT-01).
 */
export function isPage({ response, json }: Pick<Exchange, "response" | "json">): boolean {
  return (
    isSuccess({ response }) &&
    json === undefined &&
    /^\s*text\/html\b/i.test(fieldOf(response.headers, "content-type") ?? "")
  );
}

export function isOtherMethod({
  operation,
  request,
}: Pick<Exchange, "operation" | "request">): boolean {
  return request.method !== operations[operation].method;
}

/**
 * A copy of the first 20,000 characters of a text. Reports shorten the text later, after redaction,
 * so that no secret is cut in two.
 */
export function windowOf(text: string): string {
  return text.length <= longestWindow
    ? text
    : Buffer.from(text.slice(0, longestWindow), "utf16le").toString("utf16le");
}

/** How many characters of a text a report looks at. */
export const longestWindow = 20_000;

/**
 * Whether two responses have the same status and message, without regard to words with digits, such
 * as ids and times.
 */
export function saysTheSame(one: Exchange, other: Exchange): boolean {
  return wordsOf(one) === wordsOf(other);
}

/** The status and the message of a response, without words that contain digits. */
export function wordsOf(exchange: Exchange): string {
  return `${exchange.response.status} ${withoutDigits(messageOrBody(exchange))}`;
}

/**
 * A text without its words that contain digits. Reads each word once: one pattern for words with
 * digits would try every beginning of a long word, and take seconds for a message of one such word.
 */
export function withoutDigits(text: string): string {
  return text.replaceAll(/\S+/g, (word) => (/\d/.test(word) ? "" : word));
}

/**
 * The status of a response with its message, or else with its body: `400 "no"`. Of an HTML page,
 * the title stands in their place: `500 with an HTML page, "TypeError at /batches"`. A redirection
 * shows where it leads: `301 with Location /batches/`.
 */
export function messageOf(exchange: Pick<Exchange, "json" | "response">): string {
  const { status, headers } = exchange.response;
  const location = isRedirection(exchange) ? fieldOf(headers, "location") : undefined;
  if (location !== undefined) return `${status} with Location ${location}`;
  const words = messageOrBody(exchange);
  const title = pageTitleIn(words);
  const quoted = (text: string, before: string): string =>
    text === "" ? "" : `${before}"${text}"`;
  return title === undefined
    ? `${status}${quoted(words, " ")}`
    : `${status} with an HTML page${quoted(title, ", ")}`;
}

/** The message of a response, or else the beginning of its body. */
function messageOrBody({ json, response }: Pick<Exchange, "json" | "response">): string {
  const message = memberOf(json, "message");
  return typeof message === "string"
    ? windowOf(message)
    : new TextDecoder().decode(response.body.subarray(0, 20_000));
}

const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Bytes as text; `undefined` if they are not UTF-8. A byte order mark is kept, because RFC 8259,
 * 8.1, forbids it.
 */
export function utf8(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether a part of a body was left out because reading it would cost too much. */
export function isLeftOut({ defect }: Pick<ReceivedResponse, "defect">): boolean {
  return defect?.kind === "too large" || defect?.kind === "too many";
}

/**
 * An exchange that was judged, without what is large: of its body and of each long text, only the
 * beginning is left. What a scenario keeps of it then takes little memory.
 */
export function lightened(exchange: Exchange): Exchange {
  const { response, json } = exchange;
  if (response.body.length < bounds.largeBody) return exchange;
  return {
    ...exchange,
    response: { ...response, body: beginningOf(response.body) },
    json: json === undefined ? undefined : withoutLongTexts(json),
  };
}

function withoutLongTexts(value: Json): Json {
  if (typeof value === "string") return windowOf(value);
  if (Array.isArray(value)) {
    const items = value.map(withoutLongTexts);
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(
    ([name, one]) => [name, withoutLongTexts(one)] as const,
  );
  return members.some(([name, one]) => one !== value[name]) ? Object.fromEntries(members) : value;
}

/** The body as JSON; `undefined` if it is incomplete, not UTF-8 or not well-formed. */
export function jsonOf({ body, defect }: ReceivedResponse): Json | undefined {
  if (defect !== undefined && defect.kind !== "too deep") return undefined;
  if (!parsedBodies.has(body)) parsedBodies.set(body, parsedBody(body));
  return parsedBodies.get(body);
}

/** The parsed values of bodies, because several parts of a run read the same body. */
const parsedBodies = new WeakMap<Uint8Array, Json | undefined>();

function parsedBody(body: Uint8Array): Json | undefined {
  const text = utf8(body);
  return text === undefined ? undefined : jsonIn(text);
}

/**
 * The value of a JSON text; `undefined` if the text is not well-formed or has too many values.
 * Bytes that are not UTF-8 become U+FFFD.
 */
export function parsedJson(text: string | Uint8Array): Json | undefined {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  const { body, defect } = readableBody(bytes);
  if (defect?.kind === "too many") return undefined;
  return jsonIn(
    typeof text === "string" && defect === undefined ? text : Buffer.from(body).toString(),
  );
}

function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/**
 * Whether a value is a token that fits into a header (RFC 9110, 5.5): visible ASCII characters,
 * perhaps with blanks between them.
 */
export function isUsableToken(value: unknown): value is string {
  return typeof value === "string" && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value);
}

/** The longest key or token, in characters, whose header usual servers and gateways accept. */
export const longestToken = 8192;

/** A token in a response, and the name of the member that holds the token. */
export interface IssuedToken {
  readonly name: string;
  readonly token: string;
}

/**
 * The length from which a text counts as a token if the name of its member does not end in `token`.
 */
const shortest = 16;

/**
 * Whether a text can be a token: it is long enough, and has no blanks, as a sentence would have.
 */
function isLikeToken(text: string): boolean {
  return text.length >= shortest && !text.includes(" ");
}

/**
 * The token that a response issues: the member `token`, or else the only member whose name ends in
 * `token`, or else the only text that is long enough (INT-48). Undefined if the member `token`
 * holds no usable text, or if there is none of these, or more than one.
 */
export function issuedToken(json: Json | undefined): IssuedToken | undefined {
  if (!isObject(json)) return undefined;
  const texts = Object.entries(json).flatMap(([name, token]) =>
    isUsableToken(token) ? [{ name, token }] : [],
  );
  const named = texts.find(({ name }) => name === "token");
  if (named !== undefined || "token" in json) return named;
  const tokens = texts.filter(({ name }) => /token$/i.test(name));
  const candidates = tokens.length > 0 ? tokens : texts.filter(({ token }) => isLikeToken(token));
  const [only, ...others] = candidates;
  return others.length === 0 ? only : undefined;
}

/**
 * The title of an HTML page, or else its first heading: `TypeError at /batches`. Empty if the page
 * has neither. Undefined if the text is not an HTML page. The title is whole, because a secret that
 * is cut in two would not be redacted.
 */
export function pageTitleIn(text: string): string | undefined {
  if (!/^\s*<(?:!doctype html|html)\b/i.test(text.slice(0, 1000))) return undefined;
  const lowered = text.toLowerCase();
  return ["title", "h1", "h2"].map((tag) => contentOf(tag, text, lowered)).find(Boolean) ?? "";
}

/**
 * The text in the first element with this tag; empty if there is none. `lowered`: the page in small
 * letters.
 */
function contentOf(tag: string, text: string, lowered: string): string {
  const at = lowered.indexOf(`<${tag}`);
  const from = at < 0 ? -1 : lowered.indexOf(">", at);
  const end = from < 0 ? -1 : lowered.indexOf(`</${tag}`, from);
  if (end < 0) return "";
  return text
    .slice(from + 1, end)
    .replaceAll(/<[^<>]*>/g, " ")
    .replaceAll(/&(?:#x([\da-f]{1,5})|#(\d{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi, characterOf)
    .replaceAll(/\s+/g, " ")
    .trim();
}

function characterOf(whole: string, hexadecimal?: string, decimal?: string, name = ""): string {
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  if (code <= 0x10ffff) return String.fromCodePoint(code);
  return named[name.toLowerCase()] ?? whole;
}

const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

import { defined } from "./defined.ts";
import type { Json, JsonObject } from "../spec/contract.ts";
import type { OperationName } from "../spec/operations.ts";

export type { Json };

/**
 * What a request is, so that its response is judged for what it may be judged for.
 * `valid`: breaks no rule, judged in full. `unusual`: breaks no stated rule, though a server may refuse it;
 * a success is judged in full. `invalid`: breaks a rule by `change`; judged for status, media type, JSON and
 * error shape alone. The texts read on after "a request": `without currency_amount`. `id` names the kind of change
 * where code depends on it, `pool` the pool that it was drawn from; nothing depends on the texts.
 */
export type Intent =
  | { readonly kind: "valid" }
  | { readonly kind: "unusual"; readonly what: string; readonly id?: string; readonly pool?: string }
  | { readonly kind: "invalid"; readonly change: string; readonly id?: string; readonly pool?: string };

export const valid: Intent = { kind: "valid" };
export const unusual = (what: string, id?: string): Intent => ({ kind: "unusual", what, ...defined({ id }) });
export const invalid = (change: string, id?: string): Intent => ({ kind: "invalid", change, ...defined({ id }) });

/** The pool that what makes a request unusual or invalid was drawn from. */
export const poolOf = (intent: Intent): string | undefined => (intent.kind === "valid" ? undefined : intent.pool);

/** The same intent, drawn from a pool. */
export const poolIntent = (intent: Intent, pool: string): Intent =>
  intent.kind === "valid" ? intent : { ...intent, pool };

/** What a request is, without its kind: `without currency_amount`; empty for a valid one. */
export const changeOf = (intent: Intent): string =>
  intent.kind === "valid" ? "" : intent.kind === "unusual" ? intent.what : intent.change;

/** `valid`, `unusual: with a long name`, `invalid: without currency_amount`. */
export const intentText = (intent: Intent): string =>
  intent.kind === "valid" ? "valid" : `${intent.kind}: ${changeOf(intent)}`;

/** The request of an intent in a sentence: `a valid request`, `a request without currency_amount`. */
export const requestText = (intent: Intent): string =>
  intent.kind === "valid" ? "a valid request" : `a request ${changeOf(intent)}`;

/** Makes a body for one sending; what must be unique differs from call to call. */
export type BodyMaker = (serial: number) => Json;

/** What to send: completed with key, token and headers when it is sent. */
export interface RequestSpec {
  readonly operation: OperationName;
  readonly intent: Intent;
  /** Values of the path's parameters; percent-encoded when they are put in. */
  readonly path?: Readonly<Record<string, string>>;
  /** With its question mark. */
  readonly query?: string;
  /** A JSON value, or what makes one at each sending. */
  readonly body?: Json | BodyMaker;
  /** A body as it stands, instead of `body`. */
  readonly text?: string | Uint8Array;
  /** Default: application/json where there is a body; null: none. */
  readonly contentType?: string | null;
  /** The Authorization header; absent: the session's token; null: none. */
  readonly authorization?: string | null;
  /** The x-api-key header of the token endpoint; absent: the configured key; null: none. */
  readonly apiKey?: string | null;
  /** Fields beside those that every request has, or in place of those of the same name in any letter case. */
  readonly headers?: Fields;
  /** Another method than the operation's: outside the contract, so only a 5xx is judged. */
  readonly method?: string;
  /** Outside the contract in another way, such as a header that HTTP servers refuse by themselves: judged alike. */
  readonly isOffContract?: true;
}

/** Header fields in the order in which they were sent. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** A request as it went out. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Fields;
  readonly body: Uint8Array | undefined;
  /** The body as JSON, where it is JSON. */
  readonly json: Json | undefined;
}

/** Why a body is not whole: longer than we read, ended early, coded in a way that does not decode, or not recorded. */
export interface BodyDefect {
  readonly kind: "too large" | "cut" | "coding" | "missing";
  readonly text: string;
}

/** A response as it came in. */
export interface ReceivedResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Fields;
  /** After content decoding. */
  readonly body: Uint8Array;
  readonly defect?: BodyDefect;
  /** Milliseconds from the send to the header, and to the end. */
  readonly waited: number;
  readonly took: number;
}

/** Who sends a request. */
export interface Origin {
  /** Permanent id of the scenario; `session` where the session itself sends. */
  readonly id: string;
  /** Its title. */
  readonly name: string;
  /** Requests with a higher urgency are sent first. @defaultValue 0 */
  readonly urgency?: number;
}

/** One request and its response. */
export interface Exchange {
  readonly id: number;
  readonly operation: OperationName;
  readonly intent: Intent;
  /** Name of the scenario that sent it. */
  readonly scenario: string;
  readonly request: SentRequest;
  readonly response: ReceivedResponse;
  /** Milliseconds since the run started. */
  readonly at: number;
  /** The body as JSON; `undefined` where it is not well-formed. */
  readonly json: Json | undefined;
  /** The request was outside the contract (another method, an odd header); only a 5xx other than 501 is judged. */
  readonly offContract: boolean;
}

/** The value of a header field, the first of its name, whatever the letter case. */
export const fieldOf = (headers: Fields, name: string): string | undefined =>
  headers.find(([key]) => key.toLowerCase() === name)?.[1];

/** Headers as Node and undici have them raw: names and values in turn. */
export const fieldsOf = (raw: readonly string[]): Fields => {
  const fields: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) fields.push([String(raw[i]), String(raw[i + 1])]);
  return fields;
};

/** A 2xx status (RFC 9110, 15.3). */
export const isSuccess = ({ response }: { readonly response: ReceivedResponse }): boolean =>
  response.status >= 200 && response.status < 300;

/** A 4xx status (RFC 9110, 15.5). */
export const isRefusal = (exchange: Exchange): boolean =>
  exchange.response.status >= 400 && exchange.response.status < 500;

/** A response that sends the client elsewhere (RFC 9110, section 15.4). */
export const isRedirection = ({ response }: Exchange): boolean => response.status >= 300 && response.status < 400;

/** The member of an object; `undefined` where there is none or the value is not an object. */
export const memberOf = (value: Json | undefined, name: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** A JSON object. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The start of a text, far longer than what is shown of it in the end, so that no secret is cut before it is found.
 * A copy, since a slice would keep all of a long text in memory.
 */
export const windowOf = (text: string): string =>
  text.length <= longestWindow ? text : Buffer.from(text.slice(0, longestWindow), "utf16le").toString("utf16le");

const longestWindow = 20_000;

/** Whether two responses say the same: status and words, apart from what has digits in it, such as ids and times. */
export const saysTheSame = (one: Exchange, other: Exchange): boolean => wordsOf(one) === wordsOf(other);

/** Status and words of a response, without what has digits in it. */
export const wordsOf = (exchange: Exchange): string =>
  `${exchange.response.status} ${messageOf(exchange).replaceAll(/\S*\d\S*/g, "")}`;

/** The status with the server's own words for it. */
export const messageOf = (exchange: Exchange): string => {
  const message = memberOf(exchange.json, "message");
  const words =
    typeof message === "string"
      ? windowOf(message)
      : new TextDecoder().decode(exchange.response.body.subarray(0, 20_000));
  return `${exchange.response.status}${words === "" ? "" : ` "${words}"`}`;
};

const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The body as text; `undefined` where it is not UTF-8. A byte order mark stays, since RFC 8259, 8.1 has none. */
export const utf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
};

/** The body as JSON; `undefined` where it is not whole, not UTF-8 or not well-formed. */
export const jsonOf = (response: ReceivedResponse): Json | undefined => {
  const text = response.defect === undefined ? utf8(response.body) : undefined;
  return text === undefined ? undefined : parsedJson(text);
};

/** The value of a JSON text, in bytes with replacements where these are not UTF-8; `undefined` where it is not well-formed. */
export const parsedJson = (text: string | Uint8Array): Json | undefined => {
  try {
    return JSON.parse(typeof text === "string" ? text : Buffer.from(text).toString("utf8")) as Json;
  } catch {
    return undefined;
  }
};

import { bounds } from "./bounds.ts";
import { jsonSizeOf, withoutDepth } from "./json-bytes.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import { inputKindOf, type InputKind } from "../spec/refusals.ts";
import { isObject, memberOf, valueAt, type Json } from "../spec/contract.ts";
import type { InterpretationId } from "../spec/interpretations.ts";
import { operations, type OperationName } from "../spec/operations.ts";
import type { QuestionId } from "../spec/questions.ts";

export { isObject, memberOf, valueAt, type Json };

/**
 * What a request is meant to be. `valid`: it breaks no rule. `unusual`: a server may refuse it, and a success is judged in
 * full. `invalid`: only status, media type, JSON and the shape of errors are judged. `change` continues "a request".
 */
export type Intent =
  | { readonly kind: "valid" }
  | { readonly kind: "unusual" | "invalid"; readonly change: string; readonly input?: InputKind };

export const valid: Intent = { kind: "valid" };
export const unusual = (change: string): Intent => ({ kind: "unusual", change });
export const invalid = (change: string, input?: InputKind): Intent => ({
  kind: "invalid",
  change,
  input,
});

/** The intent of a request that must be refused, with the kind of mistake that the requirement is about. */
export const intentOf = ({ intent, refusal }: RequestSpec): Intent =>
  intent.kind === "invalid" && refusal !== undefined
    ? { ...intent, input: intent.input ?? inputKindOf(refusal.requirement) }
    : intent;

/** What makes a request unusual or invalid: `without currency_amount`. Empty for a valid request. */
export const changeOf = (intent: Intent): string => (intent.kind === "valid" ? "" : intent.change);

/** An intent as reports show it: `valid`, `unusual: with a long name`, `invalid: without currency_amount`. */
export const intentText = (intent: Intent): string =>
  intent.kind === "valid" ? "valid" : `${intent.kind}: ${changeOf(intent)}`;

/** A request as a part of a sentence: `a valid request`, `a request without currency_amount`. */
export const requestText = (intent: Intent): string =>
  intent.kind === "valid" ? "a valid request" : `a request ${changeOf(intent)}`;

/** Makes the body each time the request is sent. Values that must be unique differ with `serial`. */
export type BodyMaker = (serial: number) => Json;

/** How a request must be refused: with the one status that is stated, else with any 4xx. */
export interface Refusal {
  readonly requirement: RequirementId;
  readonly status?: 400 | 401;
  /** Makes a valid request like this one, another at each call: if it is refused in the same way, nothing is shown. */
  readonly control?: () => RequestSpec;
  /** The server refuses the control too, for a reason of its own. */
  readonly isControlRefused?: boolean;
  /** A token that must be accepted afterwards: if it has lapsed, that explains the refusal of one derived from it. */
  readonly derivedFrom?: string;
}

/** An open question, and its case, that a response answers: by what the server did, or by the `status` of a refusal. */
export interface Observes {
  readonly question: QuestionId;
  /** The same in every run: no drawn value, no id. */
  readonly case: string;
  readonly by?: "status";
}

/** What a request is sent for. */
export interface Awaits {
  readonly isShown: (success: Exchange) => boolean;
  /** Milliseconds since the run started after which the next success counts, whatever it shows. */
  readonly until: number;
}

/** A request spec: what to send. The session adds the key or token, and the client the usual headers. */
export interface RequestSpec {
  readonly operation: OperationName;
  readonly intent: Intent;
  /** Values of the path parameters, not yet percent-encoded. */
  readonly path?: Readonly<Record<string, string>>;
  /** The query, including its question mark. */
  readonly query?: string;
  /** A JSON value, or a function that makes one each time the request is sent. */
  readonly body?: Json | BodyMaker;
  /** A body that is sent as it is, instead of `body`, or a function that makes one each time. */
  readonly text?: string | Uint8Array | ((serial: number) => string | Uint8Array);
  /** Null: no Content-Type. @defaultValue application/json if there is a body */
  readonly contentType?: string | null;
  /** The Authorization header. Null: none. @defaultValue the token of the session */
  readonly authorization?: string | null;
  /** The x-api-key header of the token endpoint. Null: none. @defaultValue the configured key */
  readonly apiKey?: string | null;
  /** Added to the headers that every request has; a header of the same name, in any letter case, is replaced. */
  readonly headers?: Fields;
  /** Sent on a connection that other requests do not use, so that it is idle between such requests. */
  readonly isOnSpareConnection?: true;
  /** A method other than the operation's. */
  readonly method?: string;
  /** The requirement that the request is about, if it must be refused. */
  readonly refusal?: Refusal;
  readonly observes?: readonly Observes[];
  /** It counts only with a success: a refusal that may pass is met with the request again, within the grace period. */
  readonly mustSucceed?: true;
  /** With `mustSucceed`: the request is sent again until a success shows what it is sent for. */
  readonly awaits?: Awaits;
  /** The interpretation by which only a crash is judged, unless the request succeeds: it is odd on purpose. */
  readonly exemptBy?: InterpretationId;
}

/** Header fields in the order in which they were sent. */
export type Fields = readonly (readonly [name: string, value: string])[];

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Fields;
  readonly body: Uint8Array | undefined;
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: Json | undefined;
}

/**
 * Why a body is incomplete: above `maxBody` or with too many values, deeper than is read, ended early, not decodable, or
 * missing in a recording.
 */
export interface BodyDefect {
  readonly kind: "too large" | "too many" | "too deep" | "cut" | "coding" | "missing";
  readonly text: string;
}

export interface ReceivedResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Fields;
  /** After content decoding. */
  readonly body: Uint8Array;
  readonly defect?: BodyDefect;
  /** Milliseconds from sending the request to the header of the response, and to its end. */
  readonly waited: number;
  readonly took: number;
}

/** Why no response came: the connection could not be made, was lost, timed out, or did not speak HTTP. */
export interface NetworkFailure {
  readonly kind: "connect" | "proxy" | "tls" | "dropped" | "timeout" | "protocol" | "aborted";
  /** Short, with the system's code if there is one. */
  readonly message: string;
  /** The code of Node, OpenSSL or undici. OpenSSL's end in the alert that the other side sent (RFC 8446, 6). */
  readonly code?: string;
  /** The status with which the proxy refused the connection. */
  readonly proxyStatus?: number;
  /** Milliseconds. */
  readonly took: number;
}

/** What came of a request: a response, or why there is none. */
export type Sent =
  | { readonly response: ReceivedResponse; readonly failure?: never }
  | { readonly failure: NetworkFailure; readonly response?: never };

export interface Origin {
  /** Permanent id of the scenario, or `session` for the requests of the session. */
  readonly id: string;
  readonly name: string;
  /** Requests with a higher urgency are sent first. @defaultValue 0 */
  readonly urgency?: number;
}

export interface Exchange {
  readonly id: number;
  readonly operation: OperationName;
  readonly intent: Intent;
  readonly scenario: string;
  readonly request: SentRequest;
  readonly response: ReceivedResponse;
  /** Milliseconds since the run started. */
  readonly at: number;
  /** The body as JSON; `undefined` if it is incomplete, not UTF-8 or not well-formed. */
  readonly json: Json | undefined;
  /** The interpretation by which only a crash is judged; undefined if the standing checks judge all. */
  readonly exemptBy: InterpretationId | undefined;
}

/** The value of the first header of a name, in any letter case. `name` is in lower case. */
export const fieldOf = (headers: Fields, name: string): string | undefined =>
  headers.find(([key]) => key.toLowerCase() === name)?.[1];

/** Headers from the raw form of Node and undici, in which names and values alternate. */
export const fieldsOf = (raw: readonly string[]): Fields => {
  const fields: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) fields.push([String(raw[i]), String(raw[i + 1])]);
  return fields;
};

export const isSuccess = ({ response }: { readonly response: ReceivedResponse }): boolean =>
  response.status >= 200 && response.status < 300;

export const isRefusal = ({ response }: Pick<Exchange, "response">): boolean =>
  response.status >= 400 && response.status < 500;

export const isOtherMethod = ({ operation, request }: Pick<Exchange, "operation" | "request">): boolean =>
  request.method !== operations[operation].method;

export const isRedirection = ({ response }: Pick<Exchange, "response">): boolean =>
  response.status >= 300 && response.status < 400;

/** A copy of the first 20,000 characters. Reports cut later, so that no secret is cut in two before it is redacted. */
export const windowOf = (text: string): string =>
  text.length <= longestWindow ? text : Buffer.from(text.slice(0, longestWindow), "utf16le").toString("utf16le");

/** Characters of a text that are looked at for a report. */
export const longestWindow = 20_000;

/** Whether two responses have the same status and message, apart from words with digits, such as ids and times. */
export const saysTheSame = (one: Exchange, other: Exchange): boolean => wordsOf(one) === wordsOf(other);

/** Status and message of a response, without words that contain digits. */
export const wordsOf = (exchange: Exchange): string =>
  `${exchange.response.status} ${messageOf(exchange).replaceAll(/\S*\d\S*/g, "")}`;

/** The status and the message of the server, else its body: `400 "no"`. */
export const messageOf = (exchange: Pick<Exchange, "json" | "response">): string => {
  const message = memberOf(exchange.json, "message");
  const words =
    typeof message === "string"
      ? windowOf(message)
      : new TextDecoder().decode(exchange.response.body.subarray(0, 20_000));
  return `${exchange.response.status}${words === "" ? "" : ` "${words}"`}`;
};

const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Bytes as text; `undefined` if they are not UTF-8. A byte order mark stays: RFC 8259, 8.1, forbids it. */
export const utf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
};

/** A body that can be parsed at a bounded cost: without what is too deep, or the beginning of one with too many values. */
export const readableBody = (body: Uint8Array): Pick<ReceivedResponse, "body" | "defect"> => {
  const size = jsonSizeOf(body);
  const isDeep = size.levels > bounds.levels;
  const kept = isDeep ? withoutDepth(body) : body;
  const { marks } = isDeep ? jsonSizeOf(kept) : size;
  if (marks > bounds.marks) {
    const text = `the body has more than ${bounds.marks} values`;
    return { body: beginningOf(kept), defect: { kind: "too many", text } };
  }
  if (!isDeep) return { body };
  const text = `the body has more than ${bounds.levels} levels of lists and objects`;
  return { body: kept, defect: { kind: "too deep", text } };
};

/** Whether a body was left out because it would take too much to read it. */
export const isLeftOut = ({ defect }: Pick<ReceivedResponse, "defect">): boolean =>
  defect?.kind === "too large" || defect?.kind === "too many";

/** A copy of as much of a body as a report can show. */
export const beginningOf = (body: Uint8Array): Uint8Array => Uint8Array.from(body.subarray(0, bounds.largeBody));

/** The body as JSON; `undefined` if it is incomplete, not UTF-8 or not well-formed. */
export const jsonOf = ({ body, defect }: ReceivedResponse): Json | undefined => {
  if (defect !== undefined && defect.kind !== "too deep") return undefined;
  if (!parsedBodies.has(body)) parsedBodies.set(body, parsedBody(body));
  return parsedBodies.get(body);
};

/** The values of bodies: several parts of a run read the same one. */
const parsedBodies = new WeakMap<Uint8Array, Json | undefined>();

const parsedBody = (body: Uint8Array): Json | undefined => {
  const text = utf8(body);
  return text === undefined ? undefined : jsonIn(text);
};

/** The value of a JSON text; `undefined` if it is not well-formed. Bytes that are not UTF-8 become U+FFFD. */
export const parsedJson = (text: string | Uint8Array): Json | undefined => {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  const { body, defect } = readableBody(bytes);
  if (defect?.kind === "too many") return undefined;
  return jsonIn(typeof text === "string" && defect === undefined ? text : Buffer.from(body).toString());
};

const jsonIn = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
};

/** Whether a token fits into a header (RFC 9110, 5.5): visible ASCII characters, at least one. */
export const isUsableToken = (value: unknown): value is string =>
  typeof value === "string" && /^[\x21-\x7e]+$/.test(value);

/** The length of a key or token, in characters, above which no usual server or gateway accepts its header. */
export const longestToken = 8192;

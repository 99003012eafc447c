import { operations, takesToken } from "../../spec/operations.ts";
import { waits } from "../../model/bounds.ts";
import {
  fieldOf,
  parsedJson,
  type ReceivedResponse,
  type Sent,
  type SentRequest,
  type CreationShare,
} from "../../model/exchange.ts";
import { defined } from "../../model/defined.ts";
import { presentsItsOwn, type Fields, type RequestSpec } from "../../model/request.ts";
import { withoutFinalSlashes, type RunSettings, type Target } from "../../model/target.ts";
import type { HarRecording } from "../../model/har.ts";
import type { Recorder } from "../../model/evidence/recorder.ts";
import type { Client, SendOptions } from "./client.ts";
import { Inconclusive, BadCredentialsSpent } from "../errors.ts";

/** A request as it was sent once, and the response or the failure. */
export type Attempt = Sent &
  AttemptOptions & {
    readonly sent: SentRequest;
    /** When the request was sent, in milliseconds since the run started. */
    readonly at: number;
    /** How long the response asks to wait, in milliseconds. 0 if it does not throttle. */
    readonly wait: number;
    readonly sign: Sign | undefined;
  };

/**
 * A sign that something on the way may explain the result of an attempt, so that the result does
 * not count yet. It is no response, or only a part of one, or a status that gateways, limits and
 * locks give for a while.
 */
export type Sign = "silence" | "cut" | "throttling" | "gateway error" | "conflict";

/** The first sign in the result of an attempt. Undefined if the response can be judged at once. */
function signOf({
  response,
  wait,
  isFresh,
  isAlone,
}: Pick<Attempt, "response" | "wait" | "isFresh" | "isAlone">): Sign | undefined {
  if (response === undefined) return "silence";
  // A server that waits only briefly for a request sends 408 on a new connection too, if the client
  // is slow. So it counts only if the request was sent alone.
  if (response.status === 408 && !(isFresh && isAlone)) return "cut";
  if (response.defect?.kind === "cut") return "cut";
  if (wait > 0) return "throttling";
  if (isGatewayError(response.status)) return "gateway error";
  return isConflict(response.status) ? "conflict" : undefined;
}

/** Whether a status is 409 Conflict, 423 Locked or 425 Too Early. */
const isConflict = (status: number): boolean => [409, 423, 425].includes(status);
/** Whether a status is 502 Bad Gateway, 503 Service Unavailable or 504 Gateway Timeout. */
export const isGatewayError = (status: number): boolean => [502, 503, 504].includes(status);

interface AttemptOptions extends SendOptions {
  readonly token?: string | undefined;
  readonly isFresh: boolean;
  readonly isAlone: boolean;
  readonly timeout: number;
}

export interface AttemptParts {
  readonly target: Target;
  readonly settings: RunSettings;
  readonly client: Client;
  readonly recorder: Recorder;
  readonly userAgent: string;
  readonly recording?: HarRecording | undefined;
  /**
   * Returns the number of the next request. One counter serves the whole run, so that a value made
   * from a number is never sent twice.
   */
  readonly nextSerial: () => number;
}

/**
 * Makes the counter of a run: a function that returns 1 for the first request, then 2, and so on.
 */
export function createSerials(): () => number {
  let sent = 0;
  return () => {
    sent += 1;
    return sent;
  };
}

export type Attempts = ReturnType<typeof createAttempts>;

export function createAttempts(parts: AttemptParts) {
  const { target, settings, client, recorder, userAgent, recording, nextSerial } = parts;
  const started = performance.now();
  const bounds = createBounds(settings, nextSerial);
  return {
    /** Milliseconds since the run started. */
    elapsed: (): number => performance.now() - started,
    /** Whether a share of what the run may create is used up. */
    isSpent: bounds.isSpent,
    /**
     * Sends a request. Throws Inconclusive if the run may not create more, or may not present more
     * bad credentials.
     */
    send: async (
      spec: RequestSpec,
      how: AttemptOptions,
      share: CreationShare = "ordinary",
    ): Promise<Attempt> => {
      const serial = bounds.take(spec, share);
      const kind = isBadCredential(spec) ? "bad credentials" : spec.intent.kind;
      recorder.progress.sends(spec.operation, kind);
      const { request, sent } = httpRequestOf(spec, target, {
        token: how.token,
        userAgent,
        serial,
      });
      const url = how.isPlain === true ? sent.url.replace(/^https:/, "http:") : sent.url;
      const at = performance.now() - started;
      const startedAt = Date.now();
      const result = await client.send(request, how);
      recording?.record({ sent: { ...sent, url }, startedAt, ...result });
      if (result.response !== undefined) {
        recorder.received(spec.operation, result.response.status);
        bounds.giveBack(spec, share, result.response);
      }
      const wait = result.response === undefined ? 0 : throttlingWait(result.response, Date.now());
      const sign = signOf({ ...how, response: result.response, wait });
      return { sent, at, wait, sign, ...how, ...result };
    },
  };
}

/**
 * For each share, the most requests that may create something. A run with the default options needs
 * about half of the ordinary share, and a fifth of the share for credentials: a request with bad
 * credentials creates something only if the server accepts it.
 */
function mostOfEach({ selection, runs }: RunSettings): Readonly<Record<CreationShare, number>> {
  return {
    ordinary: Math.min(400 + 6 * runs, selection.length * (100 + 4 * runs)),
    proof: Math.min(60, selection.length * 40),
    credentials: Math.min(140, selection.length * 60),
  };
}

/** The most requests that may create something in a run, of all shares together. */
export function mostCreations(settings: RunSettings): number {
  if (settings.profile === "smoke") return 0;
  const { ordinary, proof, credentials } = mostOfEach(settings);
  return ordinary + proof + credentials;
}

/**
 * The most requests that a run sends, whatever the server does: about twice as many as one that obeys
 * gets.
 */
export function mostRequests({ runs }: Pick<RunSettings, "runs">): number {
  return 1500 + 8 * Math.max(0, runs - usualRuns);
}

const usualRuns = 25;

/**
 * Keeps a run within the numbers of requests and of creations that it announced, and within the
 * number of bad credentials that the user allows.
 */
export function createBounds(settings: RunSettings, nextSerial = createSerials()) {
  const { profile, maxBadCredentials = Infinity } = settings;
  const left = { ...mostOfEach(settings) };
  const most = mostRequests(settings);
  let badCredentials = maxBadCredentials;
  return {
    isSpent: (share: CreationShare): boolean => left[share] <= 0,
    /**
     * Called before a request is sent. Returns its number in the run, or throws Inconclusive if it
     * could exceed a bound.
     */
    take: (spec: RequestSpec, share: CreationShare): number => {
      if (profile === "smoke") guard(spec);
      if (isBadCredential(spec)) {
        if (badCredentials <= 0) throw new BadCredentialsSpent(maxBadCredentials);
        badCredentials -= 1;
      }
      if (creates(spec)) {
        if (left[share] <= 0)
          throw new Inconclusive(
            `this run has sent as many creations as it announced (${mostCreations(settings)}); raise --runs`,
          );
        left[share] -= 1;
      }
      const serial = nextSerial();
      if (serial > most)
        throw new Inconclusive(
          `not sent: this run has sent as many requests as it announced at most (${most})`,
        );
      return serial;
    },
    /**
     * Called with the response. Gives back the share of a request that was rightly refused, or that
     * has to be sent again, because it created nothing. A refused creation that was to succeed counts:
     * otherwise nothing would end a run that a server refuses all of them.
     */
    giveBack: (spec: RequestSpec, share: CreationShare, { status }: ReceivedResponse): void => {
      if (!creates(spec) || status < 400 || status >= 500) return;
      if (spec.intent.kind === "invalid" || isForAWhile(status)) left[share] += 1;
    },
  };
}

/** Whether a status refuses a request for a while, or its token, so that it is sent again. */
const isForAWhile = (status: number): boolean => [401, 408, 409, 423, 425, 429].includes(status);

function creates({ operation }: Pick<RequestSpec, "operation">): boolean {
  return operations[operation].creates;
}

/** Whether a request presents no key or token, or one that must be refused. */
export function isBadCredential(spec: RequestSpec): boolean {
  return presentsItsOwn(spec) && spec.intent.kind === "invalid";
}

/**
 * Throws for a request that the profile `smoke` must not send. That is an internal error, never a
 * failure of the target.
 */
function guard({ operation, method }: RequestSpec): void {
  if (creates({ operation }) || method !== undefined)
    throw new Error(`the profile smoke does not allow ${method ?? "the request"} of ${operation}`);
}

interface Signature {
  /**
   * The token of the session. Absent for the token endpoint, and if the request spec brings its own
   * Authorization header.
   */
  readonly token?: string | undefined;
  readonly userAgent: string;
  /** The number of this request, from which a body can make values that no other request has. */
  readonly serial: number;
}

export function httpRequestOf(spec: RequestSpec, target: Target, signature: Signature) {
  const { origin, pathname } = new URL(target.baseUrl);
  const path = withoutFinalSlashes(pathname) + pathOf(spec) + queryOf(spec);
  const method = spec.method ?? operations[spec.operation].method;
  const json = typeof spec.body === "function" ? spec.body(signature.serial) : spec.body;
  const text = typeof spec.text === "function" ? spec.text(signature.serial) : spec.text;
  const body = bytesOf(text ?? (json === undefined ? undefined : JSON.stringify(json)));
  const headers = headersOf(spec, target, signature, body !== undefined);
  return {
    request: { method, path, headers, body },
    sent: {
      method,
      url: origin + path,
      headers,
      body,
      json: text === undefined ? json : body && parsedJson(body),
      ...defined({ tokenInShell: spec.tokenInShell }),
      ...(spec.spareConnection && spec.refusal && { isAfterGood: true as const }),
    },
  };
}

function pathOf(spec: RequestSpec): string {
  return operations[spec.operation].path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent((spec.path?.[name] ?? "").toWellFormed()),
  );
}

/**
 * The query of a request. Characters that RFC 3986 does not allow, such as brackets, are
 * percent-encoded, because many servers refuse them before the request reaches the API.
 */
function queryOf({ query = "" }: RequestSpec): string {
  return query.replaceAll(/[^\w\-.~!$&'()*+,;=:@/?%]/g, encodeURIComponent);
}

function headersOf(
  spec: RequestSpec,
  target: Target,
  signature: Signature,
  hasBody: boolean,
): Fields {
  const headers: [string, string][] = [
    ["User-Agent", signature.userAgent],
    ["Accept", "application/json"],
    ["Accept-Encoding", "gzip"],
  ];
  const usualType = hasBody ? "application/json" : null;
  const contentType = spec.contentType === undefined ? usualType : spec.contentType;
  if (contentType !== null) headers.push(["Content-Type", contentType]);
  if (!takesToken(spec.operation)) {
    const key = spec.apiKey === undefined ? target.apiKey : spec.apiKey;
    if (key !== null) headers.push(["x-api-key", key]);
  }
  const authorization =
    spec.authorization === undefined && signature.token
      ? `Bearer ${signature.token}`
      : spec.authorization;
  if (authorization !== undefined && authorization !== null)
    headers.push(["Authorization", authorization]);
  // Every request carries the configured headers, because a gateway may need them.
  const configured = (target.headers ?? []).map(({ name, value }) => [name, value] as const);
  return replacedBy(replacedBy(headers, spec.headers ?? []), configured);
}

/** The headers with the `others` added. Each of the others replaces a header of the same name. */
function replacedBy(fields: Fields, others: Fields): Fields {
  if (others.length === 0) return fields;
  const names = new Set(others.map(([name]) => name.toLowerCase()));
  return [...fields.filter(([name]) => !names.has(name.toLowerCase())), ...others];
}

function bytesOf(text: string | Uint8Array | undefined): Uint8Array | undefined {
  return typeof text === "string" ? Buffer.from(text, "utf8") : text;
}

/** Whether a response throttles: a 429, or a 503 with Retry-After (INT-13). */
export function isThrottling({ status, headers }: ReceivedResponse): boolean {
  return status === 429 || (status === 503 && fieldOf(headers, "retry-after") !== undefined);
}

/** How long a response asks to wait, in milliseconds. 0 if it does not throttle. */
export function throttlingWait(response: ReceivedResponse, now: number): number {
  return isThrottling(response) ? Math.max(waits.shortestThrottled, waitOf(response, now)) : 0;
}

/**
 * The wait that a Retry-After header asks for, in milliseconds. The header has seconds or a date
 * (RFC 9110, 10.2.3); if it is absent or has neither, the wait is one second.
 */
export function waitOf({ headers }: ReceivedResponse, now: number): number {
  const value = fieldOf(headers, "retry-after")?.trim();
  if (value === undefined) return waits.throttledWithoutTime;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  // A date begins with the name of a day. JavaScript would also take a value such as 1.5 for a
  // date.
  const date = /^[A-Za-z]{3}/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(date)) return waits.throttledWithoutTime;
  // A date is compared with the Date header of the server, if it sends one, because our clock may
  // differ from the server's by hours.
  const server = Date.parse(fieldOf(headers, "date") ?? "");
  return Math.max(0, date - (Number.isNaN(server) ? now : server));
}

export function throttlingText({ status, headers }: ReceivedResponse): string {
  return `${status} ${fieldOf(headers, "retry-after") === undefined ? "without" : "with"} Retry-After`;
}

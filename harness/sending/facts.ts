import { longWait } from "../../model/request-facts.ts";
import { waits } from "../../model/bounds.ts";
import { isSuccess } from "../../model/exchange.ts";
import { type RequestSpec, intentText, presentsItsOwn, usesSession } from "../../model/request.ts";
import { type RunSettings, timeBoundOf } from "../../model/target.ts";
import { operations, operationTitle, type OperationName } from "../../spec/operations.ts";
import { hintOn } from "../errors.ts";
import { type Attempt, isBadCredential, isGatewayError } from "./attempt.ts";

/**
 * What sending has shown of the target so far. Doubts read these facts. They are written by `learn`
 * below, after each attempt, and by the functions `learns` and `passes` of the doubts.
 */
export type SendingFacts = ReturnType<typeof noFacts>;

export function noFacts({ timeout }: Pick<RunSettings, "timeout">) {
  return {
    token: undefined as string | undefined,
    /**
     * The form of token request that this server has accepted, so that a refusal of it may be
     * temporary.
     */
    tokenRequest: undefined as RequestSpec | undefined,
    /**
     * A new token was accepted after an older one was refused. The next refusal is probably about
     * the token too.
     */
    tokensLapse: false,
    /** Tokens that were just issued were refused, and no bad credentials can be why (AUTH-04). */
    refusesNew: false,
    /**
     * How often in a row a doubt stayed at an operation (`doubt.ts`). What stayed often enough is
     * not examined again.
     */
    examined: new Map<string, number>(),
    /**
     * The number of requests with bad credentials, and of refused tokens of the session. Servers
     * lock out clients for both.
     */
    badCredentials: 0,
    refusedTokens: 0,
    /**
     * The number of responses that a lock-out after bad credentials could explain (INT-17), and of
     * waits for the end of a lock-out.
     */
    lockOutSigns: 0,
    lockOutWaits: 0,
    /**
     * How long the run has waited for the end of lock-outs and limits, in milliseconds, since its
     * first bad credential.
     */
    waitedForBadCredentials: 0,
    /**
     * Why no more bad keys or tokens are sent: good ones are refused, for longer than a run waits.
     */
    lockedOut: new Map<"key" | "token", string>(),
    /**
     * The target hangs: it left a request unanswered until the time-out, even when sent alone, and
     * answered another one after that.
     */
    hangs: false,
    /** How long the latest responses took, in milliseconds. */
    recent: [] as number[],
    /**
     * The requests that failed beside others, and not when they were sent alone: how many more may be
     * in flight so that this does not happen.
     */
    crowded: [] as { readonly most: number; readonly status?: number; readonly took: number }[],
    lost: undefined as string | undefined,
    /**
     * What was sent in the requests whose connections were closed since the last response: one of
     * them may have ended the server.
     */
    dropped: [] as string[],
    /** How many requests in a row were given up because nothing else was answered either. */
    troubles: 0,
    /** The longest time, in milliseconds, until another operation knew a new resource. */
    lag: 0,
    /** Operations of which the target put requests off because they were too many (INT-13). */
    putOff: new Set<OperationName>(),
    /**
     * What the target asked to leave alone for longer than a run waits (`limitOf`), until when, in
     * milliseconds since the run started, and what it answered.
     */
    barred: new Map<string, { readonly until: number; readonly reason: string }>(),
    /** Operations that accepted a valid request with a token of the session. */
    accepting: new Set<OperationName>(),
    /** Operations that accepted a bad credential, which may have used up what a request names. */
    admitting: new Set<OperationName>(),
    /** Operations that refused good credentials before bad ones were presented: no lock-out does. */
    refusing: new Set<OperationName>(),
    timeout,
  };
}

/** What a limit that a request meets is about: bad credentials of a kind, or an operation. */
export function limitOf(spec: RequestSpec): string {
  return presentsItsOwn(spec) ? `bad ${operations[spec.operation].credential}s` : spec.operation;
}

/** What to do about an operation that refuses good tokens. */
export function adviceOnRefused(
  { accepting, refusesNew, examined }: Readonly<SendingFacts>,
  operation: OperationName,
): string {
  if (!accepting.has(operation)) return `It accepted none so far. ${hintOn[operation]}`;
  return refusesNew || examined.has(`refused token ${operation}`)
    ? "It refuses tokens that were just issued (AUTH-04): fix that first."
    : "Raise its limits for this client.";
}

/** After this many examinations of an operation have found something, it is not examined again. */
export const enough = 3;

/**
 * After a hang, a response may take `slower` times as long as the slowest so far, but at least
 * `shortest` milliseconds.
 */
const slower = 3;
const shortest = 500;

/**
 * How long to wait for a response, in milliseconds: the time-out of the settings, or less after a
 * hang.
 */
export function timeoutOf({ hangs, recent, timeout }: SendingFacts): number {
  return hangs
    ? Math.min(timeout, Math.max(shortest, Math.round(Math.max(0, ...recent) * slower)))
    : timeout;
}

/**
 * How long it takes until a response arrives, in milliseconds, if the server needs a second for it.
 */
const secondOnTheWay = 1250;

/**
 * How long a run with these settings may send requests, in milliseconds: as long as `--max-time`
 * allows, or a run with the default options (INT-50). Infinity if the settings ask for more than the
 * defaults, or if most responses take over a second.
 */
export function longestOf(settings: RunSettings, { recent }: Pick<SendingFacts, "recent">): number {
  const bound = timeBoundOf(settings);
  if (bound === undefined) return Infinity;
  const slow = recent.filter((took) => took > secondOnTheWay).length;
  const isQuick = slow * 2 <= recent.length;
  return isQuick || bound.isOfQuickServers === undefined ? bound.lastRequest : Infinity;
}

const mostRecent = 100;
/** Whether an attempt took so much longer than others that it may have waited for them. */
export function isLong(
  { response, failure }: Pick<Attempt, "response" | "failure">,
  { recent }: Pick<SendingFacts, "recent">,
): boolean {
  return (response?.took ?? failure?.took ?? 0) >= longWait(recent);
}

/** Learns what a single attempt shows. */
export function learn(facts: SendingFacts, spec: RequestSpec, attempt: Attempt): void {
  const { response, failure } = attempt;
  if (isBadCredential(spec)) facts.badCredentials += 1;
  if (isLockOutSign(spec, attempt)) facts.lockOutSigns += 1;
  if (failure?.kind === "dropped")
    facts.dropped.push(`${operationTitle(spec.operation)}, ${intentText(spec.intent)}`);
  if (response === undefined) return;
  if (!isGatewayError(response.status)) {
    facts.troubles = 0;
    facts.dropped = [];
  }
  if (attempt.wait > 0 && !isBadCredential(spec)) facts.putOff.add(spec.operation);
  // If a response ends early, the wait for its rest is not time that the server needed.
  const took = response.defect?.kind === "cut" ? response.waited : response.took;
  facts.recent.push(took);
  if (facts.recent.length > mostRecent) facts.recent.shift();
  if (attempt.wait === 0 && spec.intent.kind === "valid")
    facts.examined.delete(`throttling ${spec.operation}`);
  if (usesSession(spec) && response.status === 401) facts.refusedTokens += 1;
  const isRefused = response.status === 401 || response.status === 403;
  const isGood = spec.intent.kind === "valid" && usesSession(spec);
  if (isGood && isRefused && facts.badCredentials === 0) facts.refusing.add(spec.operation);
  if (!isSuccess({ response })) return;
  if (isBadCredential(spec)) facts.admitting.add(spec.operation);
  learnSuccess(facts, spec);
}

function learnSuccess(facts: SendingFacts, spec: RequestSpec): void {
  if (!usesSession(spec) || spec.intent.kind !== "valid") return;
  facts.accepting.add(spec.operation);
  facts.refusing.delete(spec.operation);
  facts.lockedOut.clear();
  facts.examined.delete(`refused token ${spec.operation}`);
  facts.examined.delete(`locked out ${spec.operation}`);
  facts.examined.delete(`not accepted yet ${spec.operation}`);
}

/**
 * Whether a lock-out may explain a response. After bad credentials or a valid request, that is a
 * response that throttles, is missing or has status 423; after a valid request with good
 * credentials, a 401 or 403 too. Other requests that run beside bad credentials may be refused for
 * reasons of their own.
 */
function isLockOutSign(spec: RequestSpec, { response, wait }: Attempt): boolean {
  const isValid = spec.intent.kind === "valid";
  if (!isValid && !isBadCredential(spec)) return false;
  if (response === undefined || wait > 0 || response.status === 423) return true;
  return isValid && !presentsItsOwn(spec) && [401, 403].includes(response.status);
}

/** Notes how long the run waits for limits or lock-outs, in milliseconds, once it has presented bad credentials. */
export function noteWait(facts: SendingFacts, pause: number): void {
  if (facts.badCredentials > 0) facts.waitedForBadCredentials += pause;
}

/** Whether bad credentials make the run wait so long that it has to leave some of them out. */
export function isShortOfTime({ waitedForBadCredentials }: SendingFacts): boolean {
  return waitedForBadCredentials >= waits.badCredentials;
}

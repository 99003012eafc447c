import { issuedToken } from "../../model/token.ts";
import { waits } from "../../model/bounds.ts";
import { isSuccess, jsonOf, longestToken } from "../../model/exchange.ts";
import type { ReceivedResponse } from "../../model/exchange.ts";
import { type RequestSpec, presentsItsOwn, usesSession } from "../../model/request.ts";
import type { RunSettings } from "../../model/target.ts";
import type { OperationName } from "../../spec/operations.ts";
import { type Attempt, isBadCredential, isGatewayError, signOf } from "./attempt.ts";

/**
 * What sending has shown of the target so far. Rows read it; `learn`, and what a row itself learns,
 * write it.
 */
export type SendingFacts = ReturnType<typeof noFacts>;

export function noFacts({ timeout }: Pick<RunSettings, "timeout">) {
  return {
    token: undefined as string | undefined,
    /** The form of the token request that this server accepts. */
    tokenRequest: undefined as RequestSpec | undefined,
    /** The API key was accepted: a refusal may be temporary. */
    hasKeyWorked: false,
    /** A request with a token of the session was accepted. */
    hasTokenWorked: false,
    /**
     * A new token was accepted where an older one was refused: the next refusal probably is about
     * the token too.
     */
    tokensLapse: false,
    /**
     * How many requests of an operation were refused with 403 with fresh tokens too: it is not
     * about the token.
     */
    refusedAnew: new Map<OperationName, number>(),
    /** Bytes of the list in its last successful response. */
    listLength: undefined as number | undefined,
    /**
     * Requests with bad credentials, and refusals of the session's tokens: servers lock out clients
     * for either.
     */
    badCredentials: 0,
    refusedTokens: 0,
    /**
     * Responses that a lock-out after bad credentials could explain (INT-17), and waits for the end
     * of a lock-out.
     */
    lockOutSigns: 0,
    lockOutWaits: 0,
    /** Milliseconds of pauses until a lock-out or a limit ended, after the first bad credential. */
    waitedForBadCredentials: 0,
    /**
     * One of these pauses was so long that all bad credentials would take more time than a run has.
     */
    hasLongLockOut: false,
    /** A lock-out lasted longer than a run waits. */
    isLockedOut: false,
    /**
     * Operations that refused good tokens for as long, and accepted none since, whatever others
     * accepted.
     */
    refusing: new Set<OperationName>(),
    /** Bad keys or bad tokens that are throttled longer than a run waits. */
    putOff: new Set<"keys" | "tokens">(),
    /**
     * A valid request with good credentials met a 403 with Retry-After: such a response is a limit
     * (INT-13).
     */
    limitsWithForbidden: false,
    /** One of the first bad credentials met it: this server refuses with it. */
    refusesWithForbidden: false,
    /** Conflicts in a row that stayed when the request was sent again. */
    conflicts: 0,
    /**
     * How often a gateway's error stayed, no response came, and responses were cut, after
     * everything was tried.
     */
    gatewayErrors: new Map<OperationName, number>(),
    /** Requests in a row that were given up because everything got a gateway's error. */
    outages: 0,
    silences: new Map<OperationName, number>(),
    cuts: new Map<OperationName, number>(),
    /**
     * The target left a request without a response until the time-out, alone and while it answered
     * another one.
     */
    hangs: false,
    /** Time-outs in a row for requests of a kind. */
    timeouts: new Map<string, number>(),
    /** Milliseconds of the latest responses. */
    recent: [] as readonly number[],
    /** Since when all responses throttle, in milliseconds since the run started. */
    throttledSince: undefined as number | undefined,
    /** The operations that throttled good credentials since then. */
    throttling: new Set<OperationName>(),
    /**
     * Operations that throttled for longer than a run waits, and answered no valid request since.
     */
    throttlingTooLong: new Set<OperationName>(),
    lost: undefined as string | undefined,
    /** The run has taken as long as it may (INT-50): nothing more is sent. */
    isOutOfTime: false,
    /** Requests in a row without a response, while another request got none either. */
    troubles: 0,
    /** Valid requests were refused with 403 for longer than a run waits, as firewalls do. */
    isBlocked: false,
    /** The longest time, in milliseconds, until something new was known to another operation. */
    lag: 0,
    /**
     * Operations that accepted a valid request, and operations that refused each valid request
     * through a whole grace period.
     */
    accepting: new Set<OperationName>(),
    refusingValid: new Set<OperationName>(),
    timeout,
  };
}

/** After so many examinations that found something, an operation gets no further one. */
export const enough = 3;

/** Requests that a server may treat alike: it never answers one of them, so probably none. */
export function kindOf({ operation, intent, authorization, apiKey }: RequestSpec): string {
  return `${operation} ${intent.kind} ${authorization === undefined && apiKey === undefined}`;
}

/**
 * After a hang, a response may take `slower` times as long as the slowest before, but at least
 * `shortest` ms.
 */
const slower = 3;
const shortest = 500;

/** Milliseconds to wait for a response: the time-out of the settings, less after a hang. */
export function timeoutOf({ hangs, recent, timeout }: SendingFacts): number {
  return hangs
    ? Math.min(timeout, Math.max(shortest, Math.round(Math.max(0, ...recent) * slower)))
    : timeout;
}

/**
 * The default options: a user who changes them to more work, or to less at once, may want a longer
 * run.
 */
const usual = { runs: 25, concurrency: 8, timeout: 10_000, grace: 5000 } as const;

/**
 * How long a run with these settings may take (INT-50). It has no limit if the settings ask for
 * more than the defaults, or if most responses take over a second.
 */
export function longestOf(settings: RunSettings, { recent }: Pick<SendingFacts, "recent">): number {
  const { rate, runs, concurrency, timeout, grace } = settings;
  const isShort = runs <= usual.runs && timeout <= usual.timeout && grace <= usual.grace;
  const isQuick = rate === undefined && concurrency >= usual.concurrency;
  const slow = recent.filter((took) => took > 1000).length;
  return isShort && isQuick && slow * 2 <= recent.length ? waits.lastRequest : Infinity;
}

const mostRecent = 100;
/** Bad credentials after which servers limit a client (INT-43). */
const fewestBeforeLimit = 10;

/**
 * The attempt with the wait that its response asks for. A 403 asks for a wait only where it is a
 * limit (INT-13).
 */
export function throttledAs(facts: SendingFacts, spec: RequestSpec, attempt: Attempt): Attempt {
  const { response } = attempt;
  if (response?.status !== 403 || attempt.wait === 0) return attempt;
  if (!presentsItsOwn(spec) && spec.intent.kind === "valid") facts.limitsWithForbidden = true;
  const isEarly = isBadCredential(spec) && facts.badCredentials < fewestBeforeLimit;
  if (isEarly && !facts.limitsWithForbidden) facts.refusesWithForbidden = true;
  const isOfBad = isBadCredential(spec) && !isEarly && !facts.refusesWithForbidden;
  const isLimit = facts.limitsWithForbidden || isOfBad;
  return isLimit ? attempt : { ...attempt, wait: 0, sign: signOf({ ...attempt, wait: 0 }) };
}

/** Takes up what an attempt shows by itself. */
export function learn(facts: SendingFacts, spec: RequestSpec, attempt: Attempt): void {
  const { response, failure } = attempt;
  if (isBadCredential(spec)) facts.badCredentials += 1;
  if (isLockOutSign(spec, attempt)) facts.lockOutSigns += 1;
  if (failure?.kind === "timeout") increase(facts.timeouts, kindOf(spec));
  if (response === undefined) return;
  facts.troubles = 0;
  if (!isGatewayError(response.status)) facts.outages = 0;
  facts.timeouts.delete(kindOf(spec));
  facts.recent = [...facts.recent.slice(1 - mostRecent), response.took];
  learnThrottling(facts, spec, attempt);
  if (usesSession(spec) && response.status === 401) facts.refusedTokens += 1;
  if (isSuccess({ response })) learnSuccess(facts, spec, response);
}

function learnThrottling(facts: SendingFacts, spec: RequestSpec, { at, wait }: Attempt): void {
  if (wait > 0) {
    facts.throttledSince ??= at;
    if (!presentsItsOwn(spec)) facts.throttling.add(spec.operation);
    return;
  }
  facts.throttledSince = undefined;
  facts.throttling.clear();
  if (spec.intent.kind === "valid") facts.throttlingTooLong.delete(spec.operation);
}

function learnSuccess(facts: SendingFacts, spec: RequestSpec, response: ReceivedResponse): void {
  if (spec.operation === "createToken" && !presentsItsOwn(spec)) {
    const token = issuedToken(jsonOf(response))?.token;
    if (token !== undefined && token.length <= longestToken) facts.hasKeyWorked = true;
  }
  if (!usesSession(spec) || spec.intent.kind !== "valid") return;
  facts.accepting.add(spec.operation);
  facts.hasTokenWorked = true;
  facts.isLockedOut = false;
  facts.refusing.delete(spec.operation);
  if (spec.operation === "listBatches") facts.listLength = response.body.length;
}

/**
 * Throttling, 423 or no response to bad credentials or to a valid request, or 401 or 403 to a valid
 * one with good credentials. What else flows beside bad credentials may be refused for reasons of
 * its own.
 */
function isLockOutSign(spec: RequestSpec, { response, wait }: Attempt): boolean {
  const isValid = spec.intent.kind === "valid";
  if (!isValid && !isBadCredential(spec)) return false;
  if (response === undefined || wait > 0 || response.status === 423) return true;
  return isValid && !presentsItsOwn(spec) && [401, 403].includes(response.status);
}

/** One more of a kind. */
export function increase<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/**
 * Whether bad credentials make the run wait so long that it has to choose which others it sends.
 */
export function isShortOfTime({ waitedForBadCredentials, hasLongLockOut }: SendingFacts): boolean {
  return hasLongLockOut || waitedForBadCredentials > waits.badCredentials;
}

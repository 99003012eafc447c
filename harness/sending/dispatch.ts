import { bounds } from "../../model/bounds.ts";
import {
  beginningOf,
  type CreationShare,
  type Exchange,
  type ReceivedResponse,
} from "../../model/exchange.ts";
import { presentsItsOwn, usesSession, type RequestSpec } from "../../model/request.ts";
import { type Attempt, isBadCredential } from "./attempt.ts";
import type { Effects } from "./effects.ts";
import {
  learn,
  longestOf,
  throttledAs,
  timeoutOf,
  enough,
  kindOf,
  limitOf,
  type SendingFacts,
} from "./facts.ts";
import { askedIn, isBrokenBefore, type Sending, type SharedParts } from "./sending.ts";
import { sessionOrigin } from "./session.ts";
import { requestIn, type SendStep, type TriedAttempt } from "./doubt.ts";
import { createResponseQueue, type Turn } from "./turns.ts";
import { pause } from "./waiting.ts";
import { operations, operationTitle } from "../../spec/operations.ts";

/** Makes the attempts of requests, and has their responses judged. */
export function createDispatch(run: SharedParts, { stopped }: Pick<Effects, "stopped">) {
  const { facts, attempts, session, judge, scheduler, settings, signal } = run;
  const responses = createResponseQueue();

  /**
   * Makes an attempt of the request, or of a control for it, after everything that the attempt has
   * to wait for.
   */
  async function sent(
    sending: Sending,
    by: string,
    step: SendStep,
    turn: Turn,
  ): Promise<TriedAttempt> {
    const isControl = step.other !== undefined;
    const spec = step.other ?? askedIn(sending).spec;
    guard(sending, spec, step.pause ?? 0);
    if (step.forAll === true) scheduler.throttled(step.pause ?? 0);
    else if (step.pause !== undefined) await pause(step.pause, signal);
    if (step.newToken === true) await session.renew(requestIn(sending.tried)?.token, turn);
    // A token is fetched before the turn begins, because a request with a turn never waits for
    // another request.
    if (needsToken(spec)) await session.token(turn);
    const isUrgent = isControl || spec.isUrgent === true;
    const urgency = isUrgent ? Infinity : (sending.origin.urgency ?? 0);
    const isToken = spec.operation === "createToken" && !presentsItsOwn(spec);
    const isOperation = spec.operation === "createOperation";
    const attempted = (): Promise<Attempt> => {
      guard(sending, spec, 0);
      if (spec.refusal !== undefined) facts.asked.add(spec.refusal.requirement);
      const isFresh = step.isFresh === true || spec.isOnFreshConnection === true;
      const how = howTo(spec, isFresh, turn.isExclusive);
      const made = { ...spec, ...spec.withToken?.(how.token ?? "") };
      return attempts.send(made, how, shareOf(sending));
    };
    // If the token has lapsed, the server would refuse other requests with it, too.
    const isTokenRefused = ({ response }: Attempt): boolean =>
      usesSession(spec) && response?.status === 401;
    const raw = await turn.send({ urgency, isToken, isOperation }, attempted, isTokenRefused);
    const attempt = throttledAs(facts, spec, raw);
    learn(facts, spec, attempt);
    if (attempt.response !== undefined && attempt.wait === 0) scheduler.responded();
    const tried = { ...attempt, isControl, by };
    try {
      if (!isAnswer(attempt)) return { ...withoutLargeBody(attempt), isControl, by };
      // What a response says of the token concerns all requests.
      const isOfToken = isToken || isTokenRefused(attempt);
      await responses.turn(isOfToken ? Infinity : urgency);
      const origin = isControl ? sessionOrigin : sending.origin;
      return { ...tried, exchange: judge.judge(spec, origin, attempt) };
    } finally {
      attempt.letGo?.();
    }
  }

  /**
   * The share that a request belongs to. Requests that show a failure again have their own share
   * until it is used up.
   */
  function shareOf({ spec, origin, shown }: Sending): CreationShare {
    const { share = "ordinary" } = origin;
    const isProof = shown.length > 0 && isBrokenBefore(spec, run) && !attempts.isSpent("proof");
    return share === "ordinary" && isProof ? "proof" : share;
  }

  /** Throws Inconclusive if this must not be sent in `wait` milliseconds from now. */
  function guard(sending: Sending, spec: RequestSpec, wait: number): void {
    const longest = longestOf(settings, facts);
    const at = attempts.elapsed() + wait;
    const lateAfter = at >= longest ? longest : undefined;
    const isFirst = sending.tried.length === 0;
    const reason = heldBack({ spec, facts, isFirst, lateAfter, at });
    if (reason !== undefined) throw stopped(sending, { kind: "stop", reason });
  }

  function howTo(spec: RequestSpec, isFresh: boolean, isAlone: boolean) {
    return {
      token: needsToken(spec) ? session.current() : undefined,
      isFresh,
      isSpare: spec.isOnSpareConnection === true && !isFresh,
      isAlone,
      timeout: isFresh && isAlone ? settings.timeout : timeoutOf(facts),
    };
  }

  /**
   * The exchange of the last response to the request, which counts now. Judges the response first
   * if something on the way could explain it, because such a response is not judged at once.
   */
  function judged(sending: Sending): Exchange {
    const last = requestIn(sending.tried);
    if (last?.response === undefined) throw new Error("nothing counts");
    return last.exchange ?? judge.judge(askedIn(sending).spec, sending.origin, last);
  }

  return { sent, judged };
}

/** What is sent again is kept without a large body, which would wait in memory until it counts. */
function withoutLargeBody(attempt: Attempt): Attempt {
  const { response } = attempt;
  if (response === undefined || response.body.length < bounds.largeBody) return attempt;
  const text = `the body is larger than ${bounds.largeBody} bytes`;
  const defect = response.defect ?? ({ kind: "too large", text } as const);
  return { ...attempt, response: { ...response, defect, body: beginningOf(response.body) } };
}

/** Whether a request is sent with the good token, or with something that is made from it. */
function needsToken(spec: RequestSpec): boolean {
  return usesSession(spec) || spec.withToken !== undefined;
}

/**
 * Whether a response can be judged at once. If something on the way may explain it, it is judged
 * only once it counts.
 */
function isAnswer(attempt: Attempt): attempt is Attempt & { readonly response: ReceivedResponse } {
  return attempt.sign === undefined;
}

/** A request that is about to be sent. */
export interface Departure {
  readonly spec: RequestSpec;
  readonly facts: Readonly<SendingFacts>;
  /** Nothing was sent for the request yet. */
  readonly isFirst: boolean;
  /**
   * The request would be sent later than a run may send requests, in milliseconds (INT-50).
   * Undefined: it is not late.
   */
  readonly lateAfter?: number | undefined;
  /** When it would be sent, in milliseconds since the run started. */
  readonly at: number;
}

/** Why a request is not sent at all. Undefined: it is sent. */
export function heldBack({ spec, facts, isFirst, lateAfter, at }: Departure): string | undefined {
  if (facts.lost !== undefined) return facts.lost;
  // Each request that is never answered costs a time-out (INT-04). The first one about a requirement
  // is sent all the same, because it may get a response.
  const isNew = spec.refusal !== undefined && !facts.asked.has(spec.refusal.requirement);
  if (isFirst && facts.hangs && !isNew && (facts.timeouts.get(kindOf(spec))?.count ?? 0) >= enough)
    return `not sent: ${operationTitle(spec.operation)} gave no response to ${enough} requests of this kind in a row (HTTP-05): fix that first`;
  // What an operation asks of good requests binds bad credentials, too.
  const bars = [spec.operation, limitOf(spec)].map((limit) => facts.barred.get(limit));
  const bar = bars.find((one) => one !== undefined && at < one.until);
  if (bar !== undefined) return `not sent: ${bar.reason}`;
  const lockedOut = facts.lockedOut.get(operations[spec.operation].credential);
  if (isBadCredential(spec) && lockedOut !== undefined) return `not sent: ${lockedOut}`;
  if (lateAfter === undefined) return undefined;
  const cause =
    facts.waitedForBadCredentials > 0
      ? "The server limits how many requests it takes from a client, or locks clients out after bad credentials: raise these limits for this client, or --max-time."
      : "Raise it, or find out what keeps the run waiting: limits, errors that pass, or requests without a response.";
  return `not sent: a run starts no request after ${Math.round(lateAfter / 1000)} s (--max-time). ${cause}`;
}

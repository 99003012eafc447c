import type { OperationName } from "../../spec/operations.ts";
import { endpoints } from "../../spec/endpoints.ts";
import { waits } from "../../model/bounds.ts";
import { defined } from "../../model/defined.ts";
import { saysTheSame } from "../../model/exchange.ts";
import { changeOf, type RequestSpec, presentsItsOwn, usesSession } from "../../model/request.ts";
import type {
  Exchange,
  Origin,
  ReceivedResponse,
  Sent,
  CreationShare,
} from "../../model/exchange.ts";
import type { Recorder } from "../../model/evidence/recorder.ts";
import type { Redaction } from "../../model/evidence/redaction.ts";
import { BadCredentialsSpent, hintOn, Inconclusive } from "../errors.ts";
import type { RuleContext } from "../judging/rules/rule.ts";
import { createAttempts, pause } from "./attempt.ts";
import type { Attempt, AttemptParts, Attempts } from "./attempt.ts";
import {
  isShortOfTime,
  learn,
  longestOf,
  noFacts,
  throttledAs,
  timeoutOf,
  type SendingFacts,
} from "./facts.ts";
import { guards, type Departure } from "./guards.ts";
import { createJudge, type Judge } from "../judging/judge.ts";
import { stepAfterAnswer } from "./answers.ts";
import { stepAfterRefusal, type CountedResponse } from "./refusals.ts";
import { stepAfter } from "./rows.ts";
import { createSession, sessionOrigin, type Session } from "./session.ts";
import { choiceOf, requestIn } from "./step.ts";
import type {
  AskStep,
  ChosenStep,
  CountsStep,
  DoneStep,
  Observed,
  SendStep,
  Step,
  StopStep,
  TriedAttempt,
} from "./step.ts";
import { createResponseQueue, nextRequest, type Scheduler, type Turn } from "./turns.ts";

/**
 * Sends a request, and everything else that is needed to judge its response. Throws Inconclusive if
 * no response counts.
 */
export type Sends = (spec: RequestSpec, origin: Origin) => Promise<Exchange>;

export interface SenderParts extends AttemptParts {
  readonly scheduler: Scheduler;
  readonly redaction: Redaction;
  readonly knowledge: RuleContext;
  readonly signal: AbortSignal;
  /**
   * Called with each exchange that counts, except for those that no scenario asked for
   * (`sessionOrigin`).
   */
  readonly learn: (exchange: Exchange) => void;
}

export type Sender = ReturnType<typeof createSender>;

/** A request on its way: what a scenario wants to send, and what came of it so far. */
interface Sending {
  readonly spec: RequestSpec;
  readonly origin: Origin;
  /** What is being sent now. Absent while the rows look at the last response that counted. */
  asked: AskedRequest | undefined;
  /** The attempts since the last response that counted. */
  tried: TriedAttempt[];
  /** The responses that counted so far. */
  readonly shown: CountedResponse[];
}

/** What is being sent: the request itself, or a control that its refusal needs. */
interface AskedRequest {
  readonly of: CountedResponse["of"];
  readonly spec: RequestSpec;
  readonly isAlone: boolean;
  /** How many waits for the end of a lock-out there were before this request. */
  readonly lockOutWaits: number;
}

/** What all requests of a run share. */
interface SharedParts extends SenderParts {
  readonly facts: SendingFacts;
  readonly attempts: Attempts;
  readonly session: Session;
  readonly judge: Judge;
}

/**
 * Sends requests to the target, with all waits and repetitions that a server may demand, and judges
 * each response.
 */
export function createSender(parts: SenderParts) {
  const { shared } = parts.scheduler;
  const facts = noFacts(parts.settings);
  const attempts = createAttempts(parts);
  const session = createSession({
    facts,
    send: (spec, turn) => exchangeFor(spec, sessionOrigin, turn),
    shared,
  });
  const judge = createJudge({ ...parts, adopt: session.adopt });
  const exchangeFor = createLoop({ ...parts, facts, attempts, session, judge });
  return {
    session,
    specOf: judge.specOf,
    violationsOf: judge.violationsOf,
    isShown: judge.isShown,
    unmet: judge.unmet,
    mostListed: judge.mostListed,
    /** Whether an operation has accepted a valid request. */
    accepts: (operation: OperationName): boolean => facts.accepting.has(operation),
    /** How many of the responses so far may come from a lock-out. */
    lockOutSigns: (): number => facts.lockOutSigns,
    /** How often the run waited for the end of a lock-out so far. */
    lockOutWaits: (): number => facts.lockOutWaits,
    /**
     * Gets a new token, which shows that the API key is accepted. Throws Inconclusive if it is not,
     * after all waits for the end of a lock-out.
     */
    proveKey: session.proveKey,
    /**
     * Whether bad credentials have made the run wait so long that it has to leave some of them out.
     */
    isShortOfTime: (): boolean => isShortOfTime(facts),
    /**
     * How long the target took to know a new resource, in milliseconds, as far as the run has seen.
     */
    lag: (): number => facts.lag,
    send: (spec: RequestSpec, origin: Origin): Promise<Exchange> =>
      exchangeFor(spec, origin, shared),
    /** Performs a task that sends several requests in a row, while nothing else is in flight. */
    alone: async <T>(task: (send: Sends) => Promise<T>): Promise<T> => {
      const turn = await shared.exclusive();
      return task((spec, origin) => exchangeFor(spec, origin, turn)).finally(turn.end);
    },
    withoutOperations: parts.scheduler.withoutOperations,
    /**
     * Sends a request over plain HTTP to the host and port of the base URL. The result is not
     * judged.
     */
    sendPlain: (spec: RequestSpec): Promise<Sent> =>
      shared.send(nextRequest, () =>
        attempts.send(spec, {
          ...plainly,
          token: session.current(),
          timeout: parts.settings.timeout,
        }),
      ),
  };
}

/**
 * The loop through which every request goes. Each turn of it takes the next step:
 *
 * 1. `send`: the guards, the wait, the guards again, an attempt; judged at once if it has no sign.
 *    Then `rows` choose: send again, stop, or the response counts.
 * 2. `counts`: the response is judged if it was not, and is shown to the next rows.
 *    Then `refusals` or `answers` choose: ask, stop, or done.
 * 3. `ask`: the request once more, or a control. Then `rows` choose again.
 *
 * It knows no row by name, so that a new case is only a new row.
 */
function createLoop(run: SharedParts) {
  const { attempts, facts, judge, recorder, session, settings, signal } = run;
  const { sent, judged } = createAttempting(run);
  const { counted, done } = createEnds(run);
  const { take, stopped } = createEffects(run);

  return async (spec: RequestSpec, origin: Origin, given: Turn): Promise<Exchange> => {
    judge.announce(spec);
    const sending: Sending = { spec, origin, asked: request(spec, facts), tried: [], shown: [] };
    let turn = given;
    try {
      for (;;) {
        if (signal.aborted)
          throw new Inconclusive("the run was stopped before there was a response");
        await session.settled(turn);
        const isShownEnough = attempts.isSpent("proof") && isBrokenBy(spec, recorder);
        const {
          row,
          step,
          learn: learns,
        } = next(sending, facts, {
          grace: settings.grace,
          isShownEnough,
        });
        if (step.kind === "send" && step.isAlone === true && !turn.isExclusive) {
          // The next step is chosen once the turn has come, because other requests may have shown
          // more by then.
          turn = await turn.exclusive();
          continue;
        }
        learns(facts);
        take(step);
        if (step.kind === "done") return done(sending, step);
        if (step.kind === "stop") throw stopped(sending, step);
        if (step.kind === "ask") {
          if (step.pause !== undefined) await pause(step.pause, signal);
          sending.asked =
            step.of === "control" ? control(spec, step, facts) : request(spec, facts, step);
        } else if (step.kind === "send") sending.tried.push(await sent(sending, row, step, turn));
        else {
          counted(sending, await judged(sending), step);
          // An exclusive turn lasts until a response counts.
          if (turn !== given) turn.end();
          turn = given;
        }
      }
    } catch (error) {
      if (error instanceof BadCredentialsSpent) leftOpen(run.recorder, spec, error);
      throw error;
    } finally {
      if (turn !== given) turn.end();
    }
  };
}

/**
 * The next step, from the rows for this moment: while a request is being sent, after a response to
 * a request that must be refused, or after any other response that counts.
 */
function next(
  { spec, asked, tried, shown }: Sending,
  facts: SendingFacts,
  { grace, isShownEnough }: { readonly grace: number; readonly isShownEnough: boolean },
): ChosenStep {
  if (asked !== undefined) return stepAfter(asked, tried, facts);
  const { refusal } = spec;
  if (refusal === undefined) return stepAfterAnswer(spec, shown, facts, grace);
  const live = {
    unknownFor: facts.lag > 0 ? grace : youthOf(spec),
    isBlocked: facts.isBlocked,
    presentsItsOwn: presentsItsOwn(spec),
    locksOut: facts.lockOutWaits > 0,
    isShownEnough,
  };
  return stepAfterRefusal([{ change: changeOf(spec.intent), refusal }], shown, live);
}

/**
 * How long a usual server may still not know what a request names, in milliseconds, because it was
 * created a moment ago (INT-43).
 */
function youthOf({ since = 0 }: RequestSpec): number {
  return Math.max(0, since + waits.usualLag - Date.now());
}

/** Whether the requirement that the request is about was broken before. */
function isBrokenBy({ refusal }: RequestSpec, { isBroken }: Recorder): boolean {
  return refusal !== undefined && isBroken(refusal.requirement);
}

function request(
  spec: RequestSpec,
  { lockOutWaits }: SendingFacts,
  { isAlone = false }: Pick<AskStep, "isAlone"> = {},
): AskedRequest {
  return { of: "request", spec, isAlone, lockOutWaits };
}

function control(
  spec: RequestSpec,
  { isAlone = false }: AskStep,
  { lockOutWaits }: SendingFacts,
): AskedRequest {
  return { of: "control", spec: spec.refusal?.control?.() ?? spec, isAlone, lockOutWaits };
}

/**
 * Records that the requirements of a bad credential have no verdict, because no more bad
 * credentials may be sent.
 */
function leftOpen(
  recorder: Recorder,
  { operation, refusal }: RequestSpec,
  { message, gap }: BadCredentialsSpent,
) {
  if (refusal === undefined) return;
  recorder.inconclusive(refusal.requirement, message, { cutShort: true, gap });
  recorder.inconclusive(endpoints[operation].errorShape, message, { gap });
}

/** What happens when a response counts, and when a request is done. */
function createEnds(run: SharedParts) {
  const { facts, judge, recorder, learn: learnFrom } = run;
  const { ended } = createEffects(run);

  function counted(sending: Sending, exchange: Exchange, { judgements = [] }: CountsStep): void {
    const { shown, origin } = sending;
    const asked = askedIn(sending);
    ended(sending, true);
    judge.conclude(asked.spec, origin, exchange, judgements);
    if (origin !== sessionOrigin) learnFrom(exchange);
    shown.push(shownBy(exchange, asked, responseIn(shown)));
    sending.asked = undefined;
    sending.tried = [];
  }

  function shownBy(
    exchange: Exchange,
    { of, isAlone, lockOutWaits }: AskedRequest,
    before: Exchange | undefined,
  ): CountedResponse {
    if (of === "request") {
      const breaks = judge.violationsOf(exchange).map(({ requirement }) => requirement);
      return { of, exchange, isAlone, breaks };
    }
    return {
      of,
      isAlike: before !== undefined && saysTheSame(exchange, before),
      isRefused: [401, 403].includes(exchange.response.status),
      hasWaited: facts.lockOutWaits > lockOutWaits,
    };
  }

  function done(
    { spec, origin, shown }: Sending,
    { judgements = [], noVerdict }: DoneStep,
  ): Exchange {
    const exchange = responseIn(shown);
    if (exchange === undefined) throw new Error("a request is done without a response");
    judge.conclude(spec, origin, exchange, judgements);
    if (noVerdict !== undefined && spec.refusal !== undefined)
      recorder.inconclusive(spec.refusal.requirement, `${noVerdict}. ${hintOn[spec.operation]}`);
    return exchange;
  }

  return { counted, done };
}

/** Makes the attempts of requests. */
function createAttempting(run: SharedParts) {
  const { facts, attempts, session, judge, recorder, scheduler, settings, signal } = run;
  const { take, stopped } = createEffects(run);
  const responses = createResponseQueue();

  /**
   * Makes an attempt of the request, or of a control for it, after everything that the attempt has
   * to wait for.
   */
  async function sent(
    sending: Sending,
    row: TriedAttempt["row"],
    step: SendStep,
    turn: Turn,
  ): Promise<TriedAttempt> {
    const isControl = step.other !== undefined;
    const spec = step.other ?? askedIn(sending).spec;
    guard(sending, step.pause ?? 0);
    if (step.forAll === true) scheduler.throttled(step.pause ?? 0);
    else if (step.pause !== undefined) await pause(step.pause, signal);
    if (step.newToken === true) await session.renew(requestIn(sending.tried)?.token, turn);
    // A token is fetched before the turn begins, because a request with a turn never waits for
    // another request.
    if (usesSession(spec)) await session.token(turn);
    const isUrgent = isControl || spec.isUrgent === true;
    const urgency = isUrgent ? Infinity : (sending.origin.urgency ?? 0);
    const isToken = spec.operation === "createToken" && !presentsItsOwn(spec);
    const isOperation = spec.operation === "createOperation";
    const attempted = (): Promise<Attempt> => {
      guard(sending, 0);
      if (spec.refusal !== undefined) facts.asked.add(spec.refusal.requirement);
      const how = howTo(spec, step.isFresh === true, turn.isExclusive);
      return attempts.send(spec, how, shareOf(sending));
    };
    // If the token has lapsed, the server would refuse other requests with it, too.
    const isTokenRefused = ({ response }: Attempt): boolean =>
      usesSession(spec) && response?.status === 401;
    const raw = await turn.send({ urgency, isToken, isOperation }, attempted, isTokenRefused);
    const attempt = throttledAs(facts, spec, raw);
    learn(facts, spec, attempt);
    if (attempt.response !== undefined && attempt.wait === 0) scheduler.responded();
    const tried = { ...attempt, isControl, row };
    if (!isAnswer(attempt)) return { ...tried, exchange: undefined };
    // What a response says of the token concerns all requests.
    const isOfToken = isToken || isTokenRefused(attempt);
    await responses.turn(isOfToken ? Infinity : urgency);
    const origin = isControl ? sessionOrigin : sending.origin;
    return { ...tried, exchange: judge.judge(spec, origin, attempt) };
  }

  /**
   * The share that a request belongs to. Requests that show a failure again have their own share
   * until it is used up.
   */
  function shareOf({ spec, origin, shown }: Sending): CreationShare {
    const { share = "ordinary" } = origin;
    const isProof = shown.length > 0 && isBrokenBy(spec, recorder) && !attempts.isSpent("proof");
    return share === "ordinary" && isProof ? "proof" : share;
  }

  /**
   * Throws Inconclusive if a guard keeps the request from being sent in `wait` milliseconds from
   * now.
   */
  function guard(sending: Sending, wait: number): void {
    const isLate = attempts.elapsed() + wait >= longestOf(settings, facts);
    const { spec } = askedIn(sending);
    const found = choiceOf<Departure, StopStep>(guards, {
      spec,
      facts,
      isFirst: sending.tried.length === 0,
      isLate,
    });
    if (found === undefined) return;
    found.learn(facts);
    take(found.step);
    throw stopped(sending, found.step);
  }

  function howTo(spec: RequestSpec, isFresh: boolean, isAlone: boolean) {
    return {
      token: usesSession(spec) ? session.current() : undefined,
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
  async function judged(sending: Sending): Promise<Exchange> {
    const last = requestIn(sending.tried);
    if (last?.response === undefined) throw new Error("nothing counts");
    return last.exchange ?? judge.judge(askedIn(sending).spec, sending.origin, last);
  }

  return { sent, judged };
}

/**
 * Whether a response can be judged at once. If something on the way may explain it, it is judged
 * only once it counts.
 */
function isAnswer(attempt: Attempt): attempt is Attempt & { readonly response: ReceivedResponse } {
  return attempt.sign === undefined;
}

/** Records what a step shows, whatever comes next. */
function createEffects({ facts, recorder, scheduler }: SharedParts) {
  const observe = (observed: Observed | undefined): void => {
    if (observed !== undefined) recorder.observe(observed[0], "any request", observed[1]);
  };

  function take({ observes, waiting }: Step): void {
    observe(observes);
    if (waiting !== undefined) recorder.progress.waits(waiting);
  }

  /** Tells the rows that led to attempts of a request how the request ended. */
  function ended(sending: Sending, counts: boolean): void {
    const { spec } = askedIn(sending);
    const last = requestIn(sending.tried);
    const end = {
      spec,
      counts,
      tried: sending.tried,
      status: last?.response?.status ?? 0,
      sign: last?.sign,
    };
    const rows = new Map(sending.tried.map(({ row }) => [row.id, row]));
    for (const { ends } of rows.values()) observe(ends?.(facts, end));
  }

  function stopped(
    sending: Sending,
    { reason, gap, isLost, judgements = [] }: StopStep,
  ): Inconclusive {
    const { asked, origin, tried } = sending;
    if (asked !== undefined) ended(sending, false);
    const { operation, intent } = asked?.spec ?? sending.spec;
    for (const { requirement, violation } of judgements)
      if (violation !== undefined)
        recorder.violated(requirement, origin, {
          ...violation,
          operation,
          intent,
          ...defined({ request: requestIn(tried)?.sent }),
        });
    if (isLost === true && facts.lost === undefined) {
      facts.lost = reason;
      scheduler.release();
      recorder.note("untestable", reason);
    }
    return new Inconclusive(reason, gap, operation);
  }

  return { take, ended, stopped };
}

const plainly = { isFresh: true, isPlain: true, isAlone: false } as const;

function askedIn({ asked }: Sending): AskedRequest {
  if (asked === undefined) throw new Error("nothing is sent now");
  return asked;
}

/** The last response to the request itself that counted. */
function responseIn(shown: readonly CountedResponse[]): Exchange | undefined {
  const last = shown.findLast((one) => one.of === "request");
  return last?.of === "request" ? last.exchange : undefined;
}

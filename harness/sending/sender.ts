import { requirementOf } from "../../spec/catalogue.ts";
import { operationTitle } from "../../spec/operations.ts";
import { changeOf, isSuccess, messageOf, requestText, saysTheSame, valid } from "../../model/exchange.ts";
import type {
  Exchange,
  NetworkFailure,
  Origin,
  Refusal,
  RequestSpec,
  Sent,
  SentRequest,
} from "../../model/exchange.ts";
import type { Violation } from "../../model/finding.ts";
import { createJudge, type Judge } from "./judge.ts";
import type { Knowledge } from "../judging/rules/rule.ts";
import { hintOn, BadCredentialsSpent, Inconclusive } from "../errors.ts";
import { errorShapeOf } from "../judging/rules/message.ts";
import { judgeRefusal, type Shown } from "../judging/rules/refusals.ts";
import type { Redaction } from "../../model/evidence/redaction.ts";
import { decide, type Step, requestIn, type Tried } from "./table.ts";
import { longestOf, noFacts, timeoutOf, type Facts } from "./facts.ts";
import { longestLockOut, learn, note, throttledAs } from "./learning.ts";
import { createSession, type Session, listRequest, sessionOrigin } from "./session.ts";
import {
  createAttempts,
  type AttemptParts,
  type Attempts,
  isConflict,
  isGatewayError,
  putsOff,
  presentsItsOwn,
  usesSession,
  pause,
} from "./attempt.ts";
import type { Scheduler } from "./turns.ts";

/** Sends a request spec, and what else it takes to judge the response. Throws Inconclusive if none counts. */
export type Send = (spec: RequestSpec, origin: Origin) => Promise<Exchange>;

export interface SenderParts extends AttemptParts {
  readonly scheduler: Scheduler;
  readonly redaction: Redaction;
  readonly knowledge: Knowledge;
  readonly signal: AbortSignal;
  /** Milliseconds until something new was known to the target, as far as the run has seen. */
  readonly lag: () => number;
  /** Takes note of each response that a scenario or a rule asked for. */
  readonly learn: (exchange: Exchange) => void;
}

export type Sender = ReturnType<typeof createSender>;

/** Sends to the target, with all waits and retries that a server may demand, and judges each response. */
export const createSender = (parts: SenderParts) => {
  const { scheduler, settings, signal } = parts;
  const facts = noFacts(settings);
  const attempts = createAttempts(parts);
  const session = createSession({
    facts,
    send: (spec) => sent(spec, sessionOrigin, true),
    alone: scheduler.alone,
  });
  const judge = createJudge({ ...parts, session });
  const context = { ...parts, facts, attempts, session, judge };
  const { prepare, sendOnce } = createSteps(context);
  const { delivered, givenUp } = createEnds(context);

  /** What comes next, unless it would begin after the end of the run. */
  const inTime = (spec: RequestSpec, tried: readonly Tried[]): Step => {
    const step = decide(spec, tried, facts);
    if (facts.isOutOfTime || attempts.elapsed() + (step.pause ?? 0) < longestOf(settings, facts)) return step;
    facts.isOutOfTime = true;
    return decide(spec, tried, facts);
  };

  /** The way of every request. `isAlone`: within an exclusive turn. */
  const sent = async (spec: RequestSpec, origin: Origin, isAlone: boolean, tried: Tried[] = []): Promise<Exchange> => {
    for (;;) {
      if (signal.aborted) throw new Inconclusive("the run was stopped before there was a response");
      if (!isAlone) await session.renewed();
      const step = inTime(spec, tried);
      if (step.kind === "again" && step.isAlone && !isAlone)
        return scheduler.alone(() => sent(spec, origin, true, tried));
      note(facts, spec, tried, step);
      if (step.kind === "deliver") return delivered(spec, origin, tried, step);
      if (step.kind === "give up") throw givenUp(spec, origin, tried, step);
      await prepare(step, requestIn(tried), isAlone);
      tried.push(
        step.kind === "control"
          ? await sendOnce(controlOf(step, spec, session.current()), sessionOrigin, step, isAlone)
          : await sendOnce(spec, origin, step, isAlone),
      );
    }
  };

  const refused = createRefused(context, sent);
  const send = (spec: RequestSpec, origin: Origin, isAlone: boolean): Promise<Exchange> => {
    judge.announce(spec);
    return spec.refusal === undefined ? sent(spec, origin, isAlone) : refused(spec, spec.refusal, origin, isAlone);
  };

  return {
    session,
    specOf: judge.specOf,
    violationsOf: judge.violationsOf,
    unmet: judge.unmet,
    hardlyJudged: judge.hardlyJudged,
    /** How many responses a lock-out could explain so far. */
    lockOutSigns: (): number => facts.lockOutSigns,
    /** Bad credentials made the run wait so long that it has to choose which others it sends. */
    isShortOfTime: (): boolean => facts.waitedForBadCredentials > longestLockOut,
    send: (spec: RequestSpec, origin: Origin): Promise<Exchange> => send(spec, origin, false),
    /** Performs a task that sends several requests in a row while nothing else is in flight. */
    alone: <T>(task: (send: Send) => Promise<T>): Promise<T> =>
      scheduler.alone(() => task((spec, origin) => send(spec, origin, true))),
    /** Sends over plain HTTP to the host and port of the base URL. The outcome is not judged. */
    sendPlain: (spec: RequestSpec): Promise<Sent> =>
      scheduler.turn({ isAlone: false, urgency: 0, isToken: false }, () =>
        attempts.send(spec, { ...plainly, token: session.current(), timeout: settings.timeout }),
      ),
  };
};

const plainly = { isFresh: true, isPlain: true, isAlone: false } as const;

/** What all requests of a run share. */
interface SendingContext extends SenderParts {
  readonly facts: Facts;
  readonly attempts: Attempts;
  readonly session: Session;
  readonly judge: Judge;
}

type Way = (spec: RequestSpec, origin: Origin, isAlone: boolean) => Promise<Exchange>;

/** Sends a request that must be refused, and what the rule needs, until the rule has an answer. */
const createRefused = (context: SendingContext, sent: Way) => {
  const { facts, judge, lag, settings, scheduler, recorder, signal } = context;
  let isBlocked = false;
  const live = (spec: RequestSpec) => ({
    lag: lag() > 0 ? settings.grace : 0,
    isBlocked,
    presentsItsOwn: presentsItsOwn(spec),
  });

  const judged = async (spec: RequestSpec, refusal: Refusal, origin: Origin, isAlone: boolean): Promise<Exchange> => {
    const shown: Shown[] = [];
    let exchange: Exchange | undefined;
    for (;;) {
      const answer = judgeRefusal([{ change: changeOf(spec.intent), refusal }], shown, live(spec));
      if (answer.kind !== "needs") {
        if (exchange === undefined) throw new Error("a refusal is judged without a response");
        if (answer.kind === "judged") judge.conclude(spec, origin, exchange, answer.judgements);
        else recorder.inconclusive(refusal.requirement, `${answer.reason}. ${hintOn[spec.operation]}`);
        isBlocked ||= answer.kind === "no verdict" && answer.isBlock === true;
        return exchange;
      }
      if (answer.pause !== undefined) await pause(answer.pause, signal);
      const before = facts.lockOutWaits;
      const next = (answer.what === "control" ? refusal.control?.() : undefined) ?? spec;
      const response = await (answer.isAlone === true && !isAlone
        ? scheduler.alone(() => sent(next, origin, true))
        : sent(next, origin, isAlone));
      if (answer.what === "request") {
        exchange = response;
        shown.push({ of: "request", exchange, isAlone: answer.isAlone === true });
      } else if (exchange !== undefined)
        shown.push({
          of: "control",
          isAlike: saysTheSame(response, exchange),
          isRefused: [401, 403].includes(response.response.status),
          hasWaited: facts.lockOutWaits > before,
        });
    }
  };

  return async (spec: RequestSpec, refusal: Refusal, origin: Origin, isAlone: boolean): Promise<Exchange> => {
    try {
      return await judged(spec, refusal, origin, isAlone);
    } catch (error) {
      if (error instanceof BadCredentialsSpent) {
        recorder.inconclusive(refusal.requirement, error.message, { cutShort: true, gap: error.gap });
        recorder.inconclusive(errorShapeOf[spec.operation], error.message, { gap: error.gap });
      }
      throw error;
    }
  };
};

const createSteps = (context: SendingContext) => {
  const { facts, attempts, session, judge, scheduler, recorder, settings, signal } = context;
  const sendOnce = async (spec: RequestSpec, origin: Origin, step: Step, isAlone: boolean): Promise<Tried> => {
    const isControl = step.kind === "control";
    const isFresh = isControl ? step.of === "the target" : step.kind === "again" && step.isFresh === true;
    const isToken = spec.operation === "createToken" && !presentsItsOwn(spec);
    // Before the turn: a request with a turn never waits for another one.
    if (usesSession(spec)) await session.token(isAlone);
    const urgency = isControl ? Infinity : (origin.urgency ?? 0);
    const sentOnce = await scheduler.turn({ isAlone, urgency, isToken }, () => {
      // While it waited for its turn, the target may have been given up.
      const now = step.row === "first" ? decide(spec, [], facts) : step;
      if (now.kind === "give up") throw new Inconclusive(now.reason);
      const timeout = isFresh && isAlone ? settings.timeout : timeoutOf(facts);
      return attempts.send(spec, {
        token: usesSession(spec) ? session.current() : undefined,
        isFresh,
        isSpare: spec.isOnSpareConnection === true && !isFresh,
        isAlone,
        timeout,
      });
    });
    const attempt = throttledAs(facts, spec, sentOnce);
    learn(facts, spec, attempt);
    if (attempt.response !== undefined && attempt.wait === 0) scheduler.responded();
    const exchange = putsOff(attempt) ? undefined : await judge.judge(spec, origin, attempt);
    return { ...attempt, isControl, row: step.row, exchange };
  };

  const prepare = async (step: Step, refused: Tried | undefined, isAlone: boolean): Promise<void> => {
    if (step.observed !== undefined) recorder.observe(step.observed[0], "any request", step.observed[1]);
    if (step.waiting !== undefined) recorder.progress.waits(step.waiting);
    if (step.pause !== undefined && step.forAll) scheduler.throttled(step.pause);
    else if (step.pause !== undefined) await pause(step.pause, signal);
    if (step.kind === "again" && step.newToken) await session.renew(refused?.token, isAlone);
  };

  return { sendOnce, prepare };
};

const createEnds = ({ judge, recorder, scheduler, learn: take }: SendingContext) => {
  const delivered = async (spec: RequestSpec, origin: Origin, tried: readonly Tried[], step: Step) => {
    const last = requestIn(tried);
    if (last?.response === undefined) throw new Error("nothing to deliver");
    const exchange = last.exchange ?? (await judge.judge(spec, origin, last));
    if (isSuccess(exchange) && usesSession(spec) && spec.intent.kind === "valid") recorder.holds(["AUTH-04"], exchange);
    const conflict = tried.find(({ response }) => isConflict(response?.status ?? 0))?.response;
    if (conflict !== undefined && !isConflict(last.response.status))
      recorder.observe("OPEN-27", "any request", `${conflict.status} while another request was in flight`);
    const burst = tried.find(({ response }) => isGatewayError(response?.status ?? 0))?.response;
    if (burst !== undefined && !isGatewayError(last.response.status))
      recorder.observe("OPEN-27", "any request", `${burst.status} that passed when the request was sent again`);
    if (step.kind === "deliver" && step.violates !== undefined)
      recorder.violated(step.violates, origin, { ...refusedToken(exchange), exchange });
    if (origin !== sessionOrigin) take(exchange);
    return exchange;
  };

  const givenUp = (spec: RequestSpec, origin: Origin, tried: readonly Tried[], step: GivesUp): Inconclusive => {
    const last = requestIn(tried);
    if (step.violates !== undefined && last?.failure !== undefined)
      recorder.violated(step.violates, origin, silence(spec, last.sent, last.failure));
    if (step.isLost) {
      scheduler.release();
      recorder.note("untestable", step.reason);
    }
    return new Inconclusive(step.reason);
  };

  return { delivered, givenUp };
};

type GivesUp = Step & { readonly kind: "give up" };

/** The list for a token; for the target another request than the examined one. */
const controlOf = (step: Step & { readonly kind: "control" }, examined: RequestSpec, token?: string): RequestSpec =>
  step.of === "the token" || (examined.operation === "createToken" && token !== undefined)
    ? listRequest
    : { operation: "createToken", intent: valid };

const refusedToken = (exchange: Exchange): Violation => ({
  message: `${operationTitle(exchange.operation)} refuses tokens that were just issued.`,
  expected: requirementOf("AUTH-04").statement,
  actual: `two fresh tokens in a row were answered with ${messageOf(exchange)}`,
  cause: { expected: "a fresh token is accepted", actual: `status ${exchange.response.status}` },
});

const silence = ({ operation, intent }: RequestSpec, request: SentRequest, { kind, message }: NetworkFailure) => ({
  message: `${operationTitle(operation)} gives no response to ${requestText(intent)}.`,
  expected: "a response to every request",
  actual: `${message}; alone and on a fresh connection too, while another request was answered`,
  cause: { expected: "a response", actual: kind },
  operation,
  request,
});

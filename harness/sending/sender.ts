import { endpoints } from "../../spec/endpoints.ts";
import { waits } from "../../model/bounds.ts";
import { valid, type RequestSpec } from "../../model/request.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { operationTitle, operations, takesToken } from "../../spec/operations.ts";
import {
  type Exchange,
  type Origin,
  type Sent,
  fieldOf,
  isSuccess,
  messageOf,
} from "../../model/exchange.ts";
import type { Recorder } from "../../model/evidence/recorder.ts";
import { BadCredentialsSpent, Inconclusive, orNothing } from "../errors.ts";
import { createJudge } from "../judging/judge.ts";
import { stepAfterAnswer } from "./answer-doubts.ts";
import { createAttempts, isBadCredential } from "./attempt.ts";
import { stepAfterAttempt } from "./attempt-doubts.ts";
import {
  answerIn,
  counted,
  done,
  isBrokenBefore,
  sent,
  stopped,
  take,
  type SenderParts,
  type Sending,
  type SharedParts,
} from "./dispatch.ts";
import { longestOf, noFacts, adviceOnRefused } from "./facts.ts";
import {
  createLane,
  type Lane,
  type OpenForm,
  type Place,
  createSession,
  sessionOrigin,
  listRequest,
} from "./credentials.ts";
import type { AskStep, ChosenStep } from "./doubt.ts";
import { createResponseQueue, nextRequest, type Turn, endedWhile, pause } from "./turns.ts";

/**
 * Sends a request, and everything else that is needed to judge its response. Throws Inconclusive if
 * no response counts.
 */
type Sends = (spec: RequestSpec, origin: Origin) => Promise<Exchange>;

export type Sender = ReturnType<typeof createSender>;

/**
 * Sends requests to the target, with all waits and repetitions that a server may demand, and judges
 * each response.
 */
export function createSender(parts: SenderParts) {
  const { shared } = parts.scheduler;
  const facts = noFacts(parts.settings);
  const attempts = createAttempts(parts);
  const send: Sends = (spec, origin) => exchangeFor(spec, origin, shared);
  const session = createSession({
    facts,
    send: (spec, turn) => exchangeFor(spec, sessionOrigin, turn),
    shared,
    signal: parts.signal,
  });
  const judge = createJudge({ ...parts, adopt: session.adopt });
  const prove = createProof({ facts, session, send });
  const lane = createLane({
    facts,
    signal: parts.signal,
    most: parts.settings.concurrency,
    quiet: parts.quiet,
    current: session.current,
    prove,
  });
  const exchangeFor = createLoop(
    { ...parts, facts, attempts, session, judge, responses: createResponseQueue() },
    lane,
  );
  return {
    session,
    specOf: judge.specOf,
    violationsOf: judge.violationsOf,
    hardlyJudged: judge.hardlyJudged,
    /** Why a requirement has no verdict, if it was never judged. */
    firstUnmet: (id: RequirementId) =>
      judge.firstUnmet(id, {
        isSmoke: parts.settings.profile === "smoke",
        isPutOff: (operation) => facts.putOff.has(operation),
        concurrency: parts.settings.concurrency,
        rate: parts.settings.rate,
      }),
    mostListed: judge.mostListed,
    /** Whether most responses take so long that the run may take longer (INT-50). */
    isSlow: (): boolean => longestOf(parts.settings, facts) === Infinity,
    /** Whether the target has given something this id. */
    isGiven: parts.ruleContext.ids.isGiven,
    /** What no bad credential has shown yet, and why. */
    openForms: (): readonly OpenForm[] => lane.open().filter(({ form }) => !judge.isShown(form)),
    /** The bad credentials that limits left no time for. */
    leftOut: lane.leftOut,
    spareBadCredentials: lane.spare,
    /**
     * How long the target took to know a new resource, in milliseconds, as far as the run has seen.
     */
    lag: (): number => facts.lag,
    send,
    /** Performs a task that sends several requests in a row, while nothing else is in flight. */
    alone: async <T>(task: (send: Sends) => Promise<T>): Promise<T> => {
      const turn = await shared.exclusive();
      return task((spec, origin) => exchangeFor(spec, origin, turn)).finally(turn.end);
    },
    /**
     * Sends a request over plain HTTP to the host and port of the base URL. The result is not
     * judged.
     */
    sendPlain: async (spec: RequestSpec): Promise<Sent> => {
      const how = { ...plainly, token: session.current(), timeout: parts.settings.timeout };
      const sent = await shared.send(nextRequest, () => attempts.send(spec, how));
      sent.letGo?.();
      return sent;
    },
  };
}

const plainly = { isFresh: true, isPlain: true, isAlone: false } as const;

/**
 * The loop through which every request goes. Each turn of it takes the next step:
 *
 * 1. `send`: an attempt of the request, or of a control for it. Then the doubts about attempts
 *    choose: send again, stop, or the response counts.
 * 2. `counts`: the last response to the request is an answer. Then the doubts about answers choose:
 *    ask, stop, or done.
 * 3. `ask`: another answer is needed, to the request or to a control. That goes on with 1.
 *
 * It knows no doubt by name, so that a new kind of server is only a new doubt.
 */
function createLoop(run: SharedParts, lane: Lane) {
  const { facts, judge, session, signal } = run;

  const ask = (sending: Sending, by: string, how: Omit<AskStep, "kind">): void => {
    const { spec } = sending;
    const asked = how.of === "control" ? (spec.refusal?.control?.() ?? spec) : spec;
    sending.asked = { ...how, spec: asked, by, lockOutWaits: facts.lockOutWaits };
  };

  /** Has good credentials show whether the refusal of bad ones was a lock-out. */
  const proof = async (sending: Sending, by: string, place: Place | undefined): Promise<void> => {
    const last = answerIn(sending);
    if (last === undefined || place === undefined) throw new Error("nothing was refused");
    const isProven = await place.proven(last.madeFrom);
    sending.shown.push({ isControl: true, by, exchange: last.exchange, isRefused: !isProven });
  };

  /**
   * Sends the valid request that goes right before bad credentials, if there is one. Nothing depends
   * on its result.
   */
  const before = async ({ refusal }: RequestSpec, turn: Turn): Promise<void> => {
    const good = refusal?.after?.();
    if (good !== undefined) await orNothing(exchangeFor(good, sessionOrigin, turn));
  };

  const exchangeFor = async (spec: RequestSpec, origin: Origin, given: Turn): Promise<Exchange> => {
    judge.announce(spec);
    const sending: Sending = { spec, origin, asked: undefined, tried: [], shown: [] };
    const place = isBadCredential(spec) ? lane.placeOf(spec) : undefined;
    ask(sending, "first", { of: "request" });
    let turn = given;
    try {
      for (;;) {
        await session.settled(turn);
        if (signal.aborted) throw endedWhile(`the response of ${operationTitle(spec.operation)}`);
        if (sending.asked?.of === "request" && (await place?.enter()) === true)
          await before(spec, given);
        const { by, step, learn } = nextStep(run, sending);
        if (step.kind === "send" && step.isAlone === true && !turn.isExclusive) {
          // The next step is chosen once the turn has come, because other requests may have shown
          // more by then.
          turn = await turn.exclusive();
          continue;
        }
        learn(facts);
        take(run, step);
        if (step.kind === "stop") throw stopped(run, sending, step);
        if (step.kind === "done") {
          if (step.noVerdict !== undefined) place?.leaveOpen(step.noVerdict);
          return done(run, sending, step);
        }
        if (step.kind === "send") sending.tried.push(await sent(run, sending, by, step, turn));
        else if (step.kind === "counts") {
          counted(run, sending, step);
          // An exclusive turn lasts until a response counts.
          if (turn !== given) turn.end();
          turn = given;
        } else {
          const { kind: _, pause: wait, ...how } = step;
          if (wait !== undefined) await pause(wait, signal);
          if (how.of === "proof") await proof(sending, by, place);
          else ask(sending, by, how);
        }
      }
    } catch (error) {
      if (error instanceof BadCredentialsSpent) leftOpen(run.recorder, spec, error);
      else if (error instanceof Inconclusive) place?.fail(error);
      throw error;
    } finally {
      place?.leave();
      if (turn !== given) turn.end();
    }
  };
  return exchangeFor;
}

/** The next step: while a request is being sent, or after an answer. */
function nextStep(run: SharedParts, { spec, asked, tried, shown }: Sending): ChosenStep {
  const { attempts, facts, settings } = run;
  if (asked !== undefined) return stepAfterAttempt(asked, tried, facts);
  return stepAfterAnswer(spec, shown, facts, {
    grace: settings.grace,
    unknownFor: facts.lag > 0 ? settings.grace : youthOf(spec),
    isShownEnough: attempts.isSpent("proof") && isBrokenBefore(spec, run),
  });
}

/**
 * How long a usual server may still not know what a request names, in milliseconds, because it was
 * created a moment ago (INT-43).
 */
function youthOf({ since = 0 }: RequestSpec): number {
  return Math.max(0, since + waits.usualLag - Date.now());
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

/**
 * Sends good credentials of the same kind as those of a bad request: a token is fetched with the key,
 * or the list with the token of the session, or with an older one. Where the list refuses everyone,
 * the endpoint of the bad request shows it. Resolves to the token that was issued or accepted, or to
 * undefined.
 */
function createProof({
  facts,
  session,
  send,
}: Pick<SharedParts, "facts" | "session"> & { readonly send: Sends }) {
  const keep = (of: "key" | "token", reason: string): void => {
    if (!facts.lockedOut.has(of)) facts.lockedOut.set(of, reason);
  };
  const ofToken = async (
    { operation, path, body }: RequestSpec,
    older: string | undefined,
  ): Promise<string | undefined> => {
    const by = older === undefined ? {} : { authorization: bearer(older) };
    const isOwnGood = facts.accepting.has(operation) && !facts.accepting.has(listRequest.operation);
    const own: RequestSpec = { operation, path, body, intent: valid, ...by };
    // That the list refuses it renews the token of the session.
    const isFirst = isOwnGood && facts.refusing.has(listRequest.operation);
    const first = await send(isFirst ? own : { ...listRequest, ...by }, sessionOrigin);
    const isLeft = isOwnGood && !isFirst && !isSuccess(first);
    const exchange = isLeft ? await send(own, sessionOrigin) : first;
    const { response, request } = exchange;
    // Where other endpoints accept it, the token is good.
    const isOfToken = facts.accepting.has(exchange.operation)
      ? [401, 403].includes(response.status)
      : facts.accepting.size === 0;
    if (older === undefined && isOfToken)
      keep(
        "token",
        `${operationTitle(exchange.operation)} refuses good tokens too: ${messageOf(exchange)}. ${adviceOnRefused(facts, exchange.operation)}`,
      );
    if (!isSuccess({ response })) return undefined;
    return fieldOf(request.headers, "authorization")?.slice(bearer("").length);
  };

  return async (spec: RequestSpec, older: string | undefined): Promise<string | undefined> => {
    const { operation } = spec;
    try {
      return await (takesToken(operation) ? ofToken(spec, older) : session.proveKey());
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      // No wait of a run ends this: no more bad credentials are sent.
      keep(operations[operation].credential, error.message.replace(/^not sent: /, ""));
      return undefined;
    }
  };
}

const bearer = (token: string): string => `Bearer ${token}`;

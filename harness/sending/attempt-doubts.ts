import { type RequestSpec, presentsItsOwn, requestText, valid } from "../../model/request.ts";
import {
  counts,
  requestIn,
  stepInDoubt,
  stop,
  subjectOf,
  titleOf,
  wordsOf,
  type Again,
  type AttemptDoubts,
  type ChosenStep,
  type Conclusion,
  type Observed,
  type Situation,
  type StopStep,
  type TriedAttempt,
} from "./doubt.ts";
import { type SendingFacts, limitOf, noteWait, enough, isLong } from "./facts.ts";
import { refusedToken, isLockOut, untilUnlocked } from "./token-doubts.ts";
import { waits } from "../../model/bounds.ts";
import { throttlingText, isGatewayError, type Sign } from "./attempt.ts";
import { listRequest } from "./credentials.ts";
import { operationTitle } from "../../spec/operations.ts";
import { hasNoObject, noObjectInput } from "../../model/request-facts.ts";
import { broken, noVerdict, type Judgement } from "../../model/mistake.ts";
import { inputOf } from "../judging/rules/words.ts";

const alone = { isAlone: true } as const;
const aloneAnew = { isFresh: true, isAlone: true } as const;

function situationOf(
  spec: RequestSpec,
  history: readonly TriedAttempt[],
  last: TriedAttempt,
  facts: Readonly<SendingFacts>,
): Situation {
  const request = requestIn(history) ?? last;
  return { spec, facts, history, last, request, status: request.response?.status ?? 0 };
}

/** Whether the last attempt of the request has this sign. */
function hasSign(sign: Sign) {
  return ({ request }: Situation): boolean => request.sign === sign;
}

/** A request for a token or, if that is the request itself, for the list: does the target respond? */
function ofTarget({ spec, facts }: Situation): RequestSpec | undefined {
  if (spec.operation !== "createToken") return { operation: "createToken", intent: valid };
  return facts.token === undefined ? undefined : listRequest;
}

/** Whether the control got no response either, or one of a gateway. */
function isUnanswered({ last: { response } }: Situation): boolean {
  return response === undefined || isGatewayError(response.status);
}

/** Sends the request again after the nth of these pauses. Undefined after the last one. */
function paused(pauses: readonly number[], nth: number, isAlone = true): Again | undefined {
  const pause = pauses[nth];
  return pause === undefined ? undefined : { isAlone, pause };
}

/** What follows if nothing else is answered either. */
const down: Conclusion<Situation> = {
  step: (s) => {
    const isLost = isTimeout(s) || mayBeBlocked(s) || s.facts.troubles + 1 >= enough;
    return isLost ? { ...stop(downText(s, isLost)), isLost } : stop(downText(s, isLost));
  },
  learns: (facts) => void (facts.troubles += 1),
};

/** The server gave no response, or only a part of one, or something before it responded in its place. */
const unanswered = {
  /** Drops idle or busy connections, or up to 2 % of them (INT-04). */
  silence: {
    when: hasSign("silence"),
    again: (_, s) => anew(waits.dropped, s),
    known: {
      after: 0,
      // The connection may have been idle: a dropped request is sent once more in any case.
      is: (s, isExamined) => (isTimeout(s) && s.facts.hangs) || (isExamined && s.request.isFresh),
      step: (s) => stop(noResponse(s)),
    },
    control: ofTarget,
    isNoBetter: isUnanswered,
    // A lock-out of a usual server ends within 30 s, in whichever form it comes (INT-43).
    outage: (nth, s) => (mayBeBlocked(s) ? untilUnlocked(nth, s) : undefined),
    down,
    stays: {
      step: (s) => {
        const isOpen = isSlowToAll(s);
        const advice = isOpen ? ". Others took more than half of --timeout: raise it" : "";
        const reason = `${noResponse(s)}${advice}`;
        return {
          ...stop(reason),
          judgements: [isOpen ? noVerdict("HTTP-05", reason) : silence(s)],
        };
      },
      learns: (facts, s) => void (facts.hangs ||= isTimeout(s) && !isSlowToAll(s)),
    },
  },
  /** Cuts its responses short (INT-04), or closes idle connections with 408 (INT-34). */
  cut: {
    when: hasSign("cut"),
    again: (_, s) => anew([], s),
    known: {
      after: 0,
      is: ({ request }, isExamined) => isExamined && request.isFresh,
      step: () => counts,
    },
    control: ofTarget,
    isNoBetter: isUnanswered,
    down,
    stays: { step: () => counts },
  },
  /** Stands behind a gateway that answers 502, 503 or 504 now and then (INT-56). */
  "gateway error": {
    when: hasSign("gateway error"),
    // After a long wait, others may have kept it from being answered.
    again: (nth, { request, facts }) =>
      paused(
        waits.gatewayError,
        nth,
        nth === waits.gatewayError.length - 1 || isLong(request, facts),
      ),
    known: {
      after: 1,
      step: (s) =>
        stop(
          `${titleOf(s)} answered with ${s.status}, as it did to ${enough} requests before (HTTP-04): fix that first`,
        ),
    },
    control: ofTarget,
    isNoBetter: isUnanswered,
    outage: (nth) => paused(waits.gatewayBurst, nth),
    down,
    confirmed: () => alone,
    stays: { step: () => counts },
    passes: (_, s) => ["OPEN-27", `${s.status} that passed when the request was sent again`],
  },
} satisfies AttemptDoubts;

function isTimeout({ request }: Situation): boolean {
  return request.failure?.kind === "timeout";
}

/** Sends a request anew, then anew and alone, and after these pauses if it is dropped again. */
function anew(pauses: readonly number[], s: Situation): Again | undefined {
  const { request, history } = s;
  if (!request.isFresh && !isTimeout(s)) return { isFresh: true };
  if (!request.isAlone) return aloneAnew;
  const dropped = history.filter((one) => one.isFresh && one.isAlone && !one.isControl);
  const pause = isTimeout(s) ? undefined : pauses[dropped.length - 1];
  return pause === undefined ? undefined : { ...aloneAnew, pause };
}

/** Whether a firewall may drop the connections of this client after bad credentials. */
function mayBeBlocked(s: Situation): boolean {
  return s.facts.badCredentials > 0 && !isTimeout(s);
}

function downText(s: Situation, isLost: boolean): string {
  const { last, status, facts } = s;
  const suspects = [...new Set(facts.dropped)].slice(0, mostSuspects).join("; ");
  const ofDropped =
    suspects && `. One of these may have ended it, as they got no response: ${suspects}`;
  if (isGatewayError(status))
    return `the target answered everything with ${status} for a while, ${titleOf(s)} too. Try again later`;
  return isLost
    ? `the target stopped responding ${Math.round(last.at / 1000)} s into the run: ${wordsOf(last)}${ofDropped}`
    : `the target answered neither ${titleOf(s)} nor anything else for a while: ${wordsOf(last)}`;
}

/** How many requests are named that may have ended the server. */
const mostSuspects = 8;

function noResponse(s: Situation): string {
  return `${titleOf(s)} gave no response: ${wordsOf(s.request)}`;
}

/** Whether other responses took so long that this one may only be late. */
function isSlowToAll(s: Situation): boolean {
  return isTimeout(s) && s.facts.recent.some((took) => took > s.facts.timeout / 2);
}

function silence({ spec, request }: Situation): Judgement {
  const { kind = "dropped", message = "" } = request.failure ?? {};
  return broken("HTTP-05", {
    message: `${operationTitle(spec.operation)} gives no response to ${requestText(spec.intent)}.`,
    expected: "a response to every request",
    actual: `no response (${message}), and none when sent alone on a new connection; another request was answered`,
    mistake: {
      kind: "silence",
      of: hasNoObject(request.sent) ? noObjectInput : inputOf(spec.intent),
      expected: "a response",
      actual: kind,
    },
  });
}

/** The server puts the request off: it is to come again later. */
const putOff = {
  /** Limits the rate, or failed attempts, with 429 or 503 and Retry-After (INT-13). */
  throttling: {
    when: hasSign("throttling"),
    of: ({ spec }) => limitOf(spec),
    known: { after: 0, often: 1, step: tooLong, learns: bar },
    again: (_, s) => (isTooLong(s) ? undefined : afterWait(s)),
    stays: { step: tooLong, learns: bar },
  },
  /** Locks what was created for a moment with 409, 423 or 425 (INT-43). */
  conflict: {
    when: hasSign("conflict"),
    again: (nth) => paused(waits.conflict, nth),
    known: { after: 0 },
    stays: { step: (s) => (isLockOut(s) ? undefined : counts) },
    passes: (_, s) => ["OPEN-27", `${s.status} while another request was in flight`],
  },
} satisfies AttemptDoubts;

/**
 * Whether the target asks for a longer wait than a run allows, in one response or in all so far
 * (INT-13).
 */
function isTooLong({ history, request }: Situation): boolean {
  return (
    request.wait > waits.throttled ||
    history.reduce((sum, { wait }) => sum + wait, 0) > waits.throttledInARow
  );
}

/** What limits failed attempts need not concern good requests: these go on while a bad one waits. */
function afterWait({ spec, request, status }: Situation): Again {
  return {
    pause: request.wait,
    ...(!presentsItsOwn(spec) && { forAll: true as const }),
    waiting: `${status} from the target, waiting ${Math.ceil(request.wait / 1000)} s (at most ${waits.throttledInARow / 1000} s in a row)`,
    observes: ["OPEN-27", request.response === undefined ? "" : throttlingText(request.response)],
    learns: (facts) => noteWait(facts, request.wait),
  };
}

/** Until the time that the server asks for is over, nothing more is sent there (INT-13). */
function bar(facts: SendingFacts, s: Situation): void {
  const { at, response, wait } = s.request;
  const until = at + (response?.took ?? 0) + wait;
  facts.barred.set(limitOf(s.spec), { until, reason: tooLong(s).reason });
}

/** What the run cannot wait for, and what mends it. */
function tooLong(s: Situation): StopStep {
  const { request, spec, status } = s;
  const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;
  const wait =
    request.wait > waits.throttled
      ? `and a wait of ${seconds(request.wait)}, where a run waits at most ${seconds(waits.throttled)} at once`
      : `for more than ${seconds(waits.throttledInARow)}, the most that a run waits in a row`;
  const limit = presentsItsOwn(spec) ? "limit of failed attempts" : "limit";
  return stop(
    `${titleOf(s)} answers ${presentsItsOwn(spec) ? limitOf(spec) : "requests"} with ${status} ${wait}. Raise the server's ${limit} for this client, or lower --rate and --concurrency.`,
  );
}

/**
 * What may explain the result of an attempt beside the request itself, in the order in which it is
 * examined. If no doubt is left, the response counts. A 423 is a conflict first, and then perhaps a
 * lock-out.
 */
export const doubts: AttemptDoubts = { ...unanswered, ...putOff, ...refusedToken };

/** What comes next after an attempt. */
export function stepAfterAttempt(
  { spec, isAlone = false }: { readonly spec: RequestSpec; readonly isAlone?: boolean },
  tried: readonly TriedAttempt[],
  facts: Readonly<SendingFacts>,
): ChosenStep {
  const last = tried.at(-1);
  const nothing = (): void => undefined;
  if (last === undefined) return { by: "first", step: { kind: "send", isAlone }, learn: nothing };
  const chosen = stepInDoubt(doubts, situationOf(spec, tried, last, facts), (again, other) => ({
    kind: "send",
    ...again,
    ...(typeof other === "object" && { other }),
  }));
  return chosen ?? { by: "no doubt", step: counts, learn: nothing };
}

/** What is learnt and observed when a response counts: which doubts went away. */
export function passedDoubts(
  facts: SendingFacts,
  spec: RequestSpec,
  tried: readonly TriedAttempt[],
): readonly Observed[] {
  const last = tried.at(-1);
  if (last === undefined) return [];
  const end = situationOf(spec, tried, last, facts);
  const first = tried.map((one) => situationOf(spec, [one], one, facts));
  return Object.entries(doubts).flatMap(([id, doubt]) => {
    const { when, passes } = doubt;
    const raised = first.find((one) => !one.last.isControl && when(one));
    if (raised === undefined || when(end)) return [];
    facts.examined.delete(`${id} ${subjectOf(doubt, raised)}`);
    const observed = passes?.(facts, raised) ?? undefined;
    return observed === undefined ? [] : [observed];
  });
}

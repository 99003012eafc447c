import { operationTitle } from "../../spec/operations.ts";
import { waits } from "../../model/bounds.ts";
import { hasNoObject, noObjectInput } from "../../model/request-facts.ts";
import { requestText } from "../../model/request.ts";
import { broken, type Judgement } from "../../model/judgement.ts";
import { inputOf } from "../judging/rules/words.ts";
import { isGatewayError } from "./attempt.ts";
import type { Conclusion } from "./doubt.ts";
import { enough, isLong } from "./facts.ts";
import {
  counts,
  hasSign,
  isUnanswered,
  ofTarget,
  paused,
  stop,
  titleOf,
  wordsOf,
  type AttemptDoubts,
  type Situation,
} from "./situation.ts";
import type { Again } from "./step.ts";

const alone = { isAlone: true } as const;
const aloneAnew = { isFresh: true, isAlone: true } as const;

/** What follows if nothing else is answered either. */
const down: Conclusion<Situation> = {
  step: (s) => {
    const isLost = isTimeout(s) || s.facts.troubles + 1 >= enough;
    return isLost ? { ...stop(downText(s, isLost)), isLost } : stop(downText(s, isLost));
  },
  learns: (facts) => void (facts.troubles += 1),
};

/** The server gave no response, or only a part of one, or something before it responded in its place. */
export const unanswered = {
  "idle connection": {
    for: ["INT-34", "Closes idle connections with 408.", "connection-idle-408"],
    when: hasSign("idle connection"),
    again: (_, { request }) => (request.isFresh ? aloneAnew : { isFresh: true }),
  },
  silence: {
    for: [
      "INT-04",
      "Drops idle or busy connections, or up to 2 % of them.",
      "connection-drops-now-and-then",
      "acam-dropped",
      "list-hangs",
    ],
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
    down,
    stays: {
      step: (s) =>
        isSlowToAll(s) ? stop(noResponse(s)) : { ...stop(noResponse(s)), judgements: [silence(s)] },
      learns: (facts, s) => void (facts.hangs ||= isTimeout(s) && !isSlowToAll(s)),
    },
  },
  cut: {
    for: [
      "INT-04",
      "A faulty server that cuts its responses short.",
      "counterparty-cut-short-when-long",
    ],
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
  "gateway error": {
    for: [
      "INT-56",
      "Stands behind a gateway that answers 502, 503 or 504 now and then.",
      "bad-gateway-once",
      "unavailable-in-bursts",
      "crash-batch-malformed",
    ],
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

function downText(s: Situation, isLost: boolean): string {
  const { last, status } = s;
  if (isGatewayError(status))
    return `the target answered everything with ${status} for a while, ${titleOf(s)} too. Try again later`;
  return isLost
    ? `the target stopped responding ${Math.round(last.at / 1000)} s into the run: ${wordsOf(last)}`
    : `the target answered neither ${titleOf(s)} nor anything else for a while: ${wordsOf(last)}`;
}

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

import { waits } from "../../model/bounds.ts";
import { presentsItsOwn } from "../../model/request.ts";
import { throttlingText } from "./attempt.ts";
import { limitOf, noteWait, type SendingFacts } from "./facts.ts";
import {
  counts,
  hasSign,
  paused,
  stop,
  titleOf,
  type AttemptDoubts,
  type Situation,
} from "./situation.ts";
import { isLockOut } from "./refused-token.ts";
import type { Again, StopStep } from "./step.ts";

/** The server puts the request off: it is to come again later. */
export const putOff = {
  throttling: {
    for: [
      "INT-13",
      "Limits the rate, or failed attempts, with 429 or 503 and Retry-After.",
      "rate-4",
      "strangers-put-off",
      "bad-credentials-limited",
    ],
    when: hasSign("throttling"),
    of: ({ spec }) => limitOf(spec),
    known: { after: 0, often: 1, step: tooLong, learns: bar },
    again: (_, s) => (isTooLong(s) ? undefined : afterWait(s)),
    stays: { step: tooLong, learns: bar },
  },
  conflict: {
    for: [
      "INT-43",
      "Locks what was created for a moment with 409, 423 or 425.",
      "counterparty-locked-409",
    ],
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

function tooLong(s: Situation): StopStep {
  if (presentsItsOwn(s.spec))
    return stop(
      `${titleOf(s)} answers ${limitOf(s.spec)} with ${s.status}${askedFor(s)}. Raise the server's limit of failed attempts for this client.`,
    );
  return stop(
    `${titleOf(s)} was throttled with ${s.status}${askedFor(s)}. Raise the server's limit for this client, or lower --rate and --concurrency.`,
  );
}

/** Which bound of a run the waits that the server asked for exceed, in words. */
function askedFor({ request }: Situation): string {
  const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;
  return request.wait > waits.throttled
    ? ` and a wait of ${seconds(request.wait)}, where a run waits at most ${seconds(waits.throttled)} at once`
    : ` for more than ${seconds(waits.throttledInARow)}, the most that a run waits in a row`;
}

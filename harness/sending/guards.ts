import { operationTitle } from "../../spec/operations.ts";
import { waits } from "../../model/bounds.ts";
import type { RequestSpec } from "../../model/request.ts";
import { enough, kindOf, type SendingFacts } from "./facts.ts";
import type { SendingRow, StopStep } from "./step.ts";

/** What the guards look at before a request is sent. */
export interface Departure {
  readonly spec: RequestSpec;
  readonly facts: Readonly<SendingFacts>;
  /** Nothing was sent for the request yet. */
  readonly isFirst: boolean;
  /** The request would be sent later than a run may send requests (INT-50). */
  readonly isLate: boolean;
}

/**
 * What keeps a request from being sent. The guards are asked before each wait, and once more when
 * the turn of the request has come.
 */
export const guards = {
  lost: {
    for: ["INT-04", "A target that stopped responding, or throttles everything."],
    when: ({ facts }) => facts.lost !== undefined,
    step: ({ facts }) => ({ kind: "stop", reason: facts.lost ?? "" }),
  },
  "never answered": {
    for: [
      "INT-04",
      "A faulty server that never answers some requests: each would cost a time-out.",
      "list-hangs",
    ],
    when: ({ spec, facts, isFirst }) =>
      isFirst &&
      facts.hangs &&
      (facts.timeouts.get(kindOf(spec)) ?? 0) >= enough &&
      !asksAnew(spec, facts),
    step: ({ spec }) => ({
      kind: "stop",
      reason:
        `not sent: ${operationTitle(spec.operation)} gave no response to ${enough} requests of this kind in a row ` +
        "(HTTP-05): fix that first",
    }),
  },
  "out of time": {
    for: ["INT-50", "Makes a run wait for most of its requests."],
    when: ({ facts, isLate }) => facts.isOutOfTime || isLate,
    step: ({ facts }) => ({
      kind: "stop",
      reason:
        `not sent: the run took as long as it may, ${waits.lastRequest / 1000} s. ` +
        (facts.waitedForBadCredentials > 0
          ? afterBadCredentials
          : "Find out what keeps the run waiting: " + causes),
    }),
    learns: (facts) => {
      facts.isOutOfTime = true;
    },
  },
} satisfies Record<string, SendingRow<Departure, StopStep>>;

/**
 * Whether a request is the first one about a requirement. It is sent although others of its kind
 * got no response, because it may get one.
 */
function asksAnew({ refusal }: RequestSpec, { asked }: Readonly<SendingFacts>): boolean {
  return refusal !== undefined && !asked.has(refusal.requirement);
}

const causes = "limits, errors that pass, or requests without a response.";

const afterBadCredentials =
  "The server limits clients after bad credentials, or locks them out: raise its limit of failed attempts for this client.";

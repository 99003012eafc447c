import { inputKindOf, type InputKind } from "../../spec/refusals.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { waits } from "../../model/bounds.ts";
import { isRedirection, isRefusal, isSuccess, messageOf } from "../../model/exchange.ts";
import { invalid, type Refusal } from "../../model/request.ts";
import type { Exchange } from "../../model/exchange.ts";
import { holds } from "../../model/judgement.ts";
import { brokenStatus } from "../judging/rules/words.ts";
import {
  ask,
  choiceOf,
  nothing,
  nothingStated,
  type AskStep,
  type ChosenStep,
  type DoneStep,
  type SendingRow,
} from "./step.ts";

export interface BrokenRule {
  /** What is wrong with the request, in words that follow "a request": `with /name left out`. */
  readonly change: string;
  /** What kind of mistake it is, if `refusal` does not say so. */
  readonly input?: InputKind;
  /** How a request with this mistake must be refused, if a requirement says so. */
  readonly refusal?: Refusal;
  /** The request breaks only good practice, and no stated rule. */
  readonly isDoubtful?: true;
}

type StatingRule = BrokenRule & { readonly refusal: Refusal };

export type CountedResponse =
  | {
      readonly of: "request";
      readonly exchange: Exchange;
      readonly isAlone?: boolean;
      /** The requirements that the rules on messages, members and lists find broken. */
      readonly breaks?: readonly RequirementId[];
    }
  | {
      readonly of: "control";
      /** The control got the same status and message as the request before. */
      readonly isAlike: boolean;
      /** The control was refused, although its credentials are good. */
      readonly isRefused?: boolean;
      /** The run had to wait for the end of a lock-out before the control. */
      readonly hasWaited?: boolean;
    };

/**
 * What only a run knows of its target. Absent for a recording, which cannot send a request again.
 */
export interface LiveTarget {
  /**
   * How long some node of the target may still not know what the request names, in milliseconds. 0
   * if that was created long enough ago for a usual server (INT-43) and none was late so far.
   */
  readonly unknownFor: number;
  /** Valid requests were refused with 403 for longer than a run waits. */
  readonly isBlocked: boolean;
  /**
   * The request has its own credentials. Servers count bad ones, so that the request is not sent
   * again without need.
   */
  readonly presentsItsOwn: boolean;
  /**
   * The target has locked out this client before, so that a lock-out may have refused the request.
   */
  readonly locksOut: boolean;
  /**
   * The requirement was broken before, and the share of requests that show failures again is used
   * up: no control is sent.
   */
  readonly isShownEnough: boolean;
}

type RefusalSituation = NonNullable<ReturnType<typeof situationOf>>;

/** How often a request is sent again if a block may have refused it. */
const mostTimes = 3;

/**
 * Statuses of HTTP itself and of throttling. In a recording, such a status may not be about the
 * mistake in the request.
 */
const undecided = new Set([408, 413, 414, 425, 429, 431]);

function violated({
  change,
  refusal: { requirement, status },
  exchange,
}: RefusalSituation): DoneStep {
  const request = { ...exchange, intent: invalid(change, inputKindOf(requirement)) };
  const expected = status === undefined ? "a 4xx status" : `status ${status}`;
  return { kind: "done", judgements: [brokenStatus(request, requirement, expected)] };
}

const statesRefusal = (rule: BrokenRule): rule is StatingRule => rule.refusal !== undefined;

/**
 * The requirement holds if only one of the broken rules demands a refusal. If there are several,
 * any of them may be the reason of the refusal.
 */
function held({ rules, refusal }: RefusalSituation): DoneStep {
  return rules.filter(statesRefusal).length === 1
    ? { kind: "done", judgements: [holds(refusal.requirement)] }
    : nothing;
}

function isRight({ rules, exchange, status }: RefusalSituation): boolean {
  return rules.some(({ refusal }) =>
    refusal?.status === undefined ? isRefusal(exchange) : refusal.status === status,
  );
}

/**
 * Whether the refusal is certainly about the credentials. If the target refuses the control too,
 * only a 401 is certain.
 */
function isCertain({ refusal, status }: RefusalSituation): boolean {
  return refusal.isControlRefused !== true || status === 401;
}

/**
 * What comes next after a response to a request that must be refused. The first row that applies
 * decides.
 */
export const refusals = {
  "judged for a crash or a success alone": {
    for: [
      "INT-38",
      "Refuses odd keys and tokens with a status of the HTTP layer.",
      "headers-limited",
    ],
    when: ({ exchange: { exemptBy } }) => exemptBy !== undefined && exemptBy !== "INT-34",
    step: (s) => (isSuccess(s.exchange) ? violated(s) : nothing),
  },
  "single crash": {
    for: ["INT-04", "Answers now and then with 500 by chance.", "sometimes-crashes"],
    when: ({ status, times }) => status >= 500 && times === 1,
    step: () => ask("request"),
  },
  undecided: {
    for: [
      "INT-04",
      "A recording of a server that is busy, or refuses before it has read the request.",
    ],
    when: ({ live, status }) => live === undefined && undecided.has(status),
    step: () => nothing,
  },
  right: { for: ["INT-05", "Every server."], when: (s) => isRight(s) && isCertain(s), step: held },
  "no refusal": {
    for: [
      "INT-05",
      "A faulty server that accepts what it must refuse.",
      "operation-amount-zero-accepted",
    ],
    when: ({ exchange }) => !isRefusal(exchange) && !isRedirection(exchange),
    step: violated,
  },
  "without a control": {
    for: ["INT-06", "A faulty server that answers an invalid request with another status."],
    when: ({ refusal, live }) => live !== undefined && refusal.control === undefined,
    step: violated,
  },
  "refused alone": {
    for: [
      "INT-43",
      "A faulty server that answers an invalid request with another status, alone too.",
      "operation-invalid-422",
    ],
    when: ({ controls, isAlone, status }) => controls === 0 && isAlone && status !== 403,
    step: violated,
  },
  "shown enough": {
    for: [
      "INT-06",
      "A faulty server that answers many invalid requests with another status.",
      "operation-invalid-422",
    ],
    when: ({ controls, live }) => controls === 0 && live?.isShownEnough === true,
    step: () => nothing,
  },
  "not compared": {
    for: ["INT-11", "Refuses valid requests too: a quota, a limit, a lock.", "counterparties-five"],
    when: ({ controls }) => controls === 0,
    step: ({ isAlone }) => ask("control", { isAlone }),
  },
  // From here on, a control was answered since the request was last sent.
  block: {
    for: [
      "INT-11",
      "Stands behind a firewall that refuses everything with 403 for some seconds.",
      "firewall",
    ],
    when: ({ control, controls, status, live }) =>
      control.isAlike &&
      status === 403 &&
      live?.isBlocked === false &&
      controls <= waits.block.length,
    step: ({ controls }) => ask("control", { pause: waits.block[controls - 1] ?? 0 }),
  },
  "not known yet": {
    for: [
      "INT-43",
      "Has nodes that know what was created up to two seconds later.",
      "lagging-node-404",
    ],
    when: ({ control, exchange, status, times, live }) =>
      control.isAlike &&
      live?.presentsItsOwn === false &&
      times === 1 &&
      isRefusal(exchange) &&
      status !== 403,
    step: () => ask("request", { pause: waits.usualLag }),
  },
  alike: {
    for: [
      "INT-11",
      "Refuses valid requests in the same way until the run ends.",
      "counterparties-one",
    ],
    when: ({ control }) => control.isAlike,
    step: ({ exchange }) => ({
      kind: "done",
      noVerdict: `the server answers a valid request in the same way (${messageOf(exchange)}), so the status says nothing of this one`,
    }),
    learns: (facts, { status }) => {
      facts.isBlocked ||= status === 403;
    },
  },
  "right, unlike the control": {
    for: ["INT-17", "Refuses the control of a bad credential for a reason of its own."],
    when: isRight,
    step: held,
  },
  redirected: {
    for: ["INT-34", "A faulty server that redirects invalid requests.", "batch-invalid-redirected"],
    when: ({ exchange }) => isRedirection(exchange),
    step: violated,
  },
  recorded: {
    for: [
      "INT-06",
      "A recording in which a faulty server answers an invalid request with another status.",
    ],
    when: ({ live }) => live === undefined,
    step: violated,
  },
  "control locked out": {
    for: [
      "INT-17",
      "Locks a client out after bad credentials, with another status.",
      "lock-out-403",
    ],
    when: ({ control, live }) => control.isRefused === true && live?.presentsItsOwn === true,
    step: ({ exchange }) => ({ kind: "done", noVerdict: lockedOut(exchange) }),
  },
  "refused again": {
    for: ["INT-43", "A faulty server that refuses an invalid request with 403, alone too."],
    when: ({ control, controls, isAlone }) =>
      isAlone && controls === 1 && control.hasWaited !== true,
    step: violated,
  },
  "refused by itself": {
    for: [
      "INT-17",
      "A faulty server that answers bad credentials with another status.",
      "operation-missing-token-403",
    ],
    when: ({ control, controls, live }) =>
      live?.presentsItsOwn === true &&
      !live.locksOut &&
      live.unknownFor === 0 &&
      controls === 1 &&
      control.hasWaited !== true,
    step: violated,
  },
  "blocked again and again": {
    for: ["INT-43", "Refuses requests with 403 now and then.", "firewall"],
    when: ({ times }) => times > mostTimes,
    step: ({ exchange }) => ({ kind: "done", noVerdict: lockedOut(exchange) }),
  },
  // Asks again because a lock-out may have ended between a bad credential and its control (INT-17).
  "once more": {
    for: [
      "INT-43",
      "Locks what another request uses, or has nodes that know it later.",
      "one-at-a-time-409",
    ],
    when: () => true,
    step: ({ live }) => ask("request", { isAlone: true, pause: live?.unknownFor ?? 0 }),
  },
} satisfies Record<string, SendingRow<RefusalSituation, AskStep | DoneStep>>;

function lockedOut(exchange: Exchange): string {
  return `the server refuses good requests too for a while (${messageOf(exchange)}), so the status says nothing of this one`;
}

const noControl: Extract<CountedResponse, { readonly of: "control" }> = {
  of: "control",
  isAlike: false,
};

function situationOf(
  rules: readonly BrokenRule[],
  { change, refusal }: StatingRule,
  shown: readonly CountedResponse[],
  live: LiveTarget | undefined,
) {
  const at = shown.findLastIndex(({ of }) => of === "request");
  const last = shown[at];
  if (last?.of !== "request") return undefined;
  const { exchange, isAlone } = last;
  const since = shown.slice(at + 1).flatMap((one) => (one.of === "control" ? [one] : []));
  return {
    rules,
    change,
    refusal,
    live,
    exchange,
    status: exchange.response.status,
    /** How often the request was sent, and whether it was sent alone the last time. */
    times: shown.filter(({ of }) => of === "request").length,
    isAlone: isAlone === true,
    /** The last control since the request was last sent, and how many controls there were. */
    control: since.at(-1) ?? noControl,
    controls: since.length,
  };
}

/**
 * What comes next after a response to a request that breaks these rules. The refusal is right if it
 * fits any of them; if it fits none, the first rule that demands a refusal is judged. `live`:
 * absent if no more can be sent.
 */
export function stepAfterRefusal(
  rules: readonly BrokenRule[],
  shown: readonly CountedResponse[],
  live?: LiveTarget,
): ChosenStep<AskStep | DoneStep> {
  const rule = rules.find(statesRefusal);
  const situation = rule && situationOf(rules, rule, shown, live);
  return (
    (situation && choiceOf<RefusalSituation, AskStep | DoneStep>(refusals, situation)) ??
    nothingStated
  );
}

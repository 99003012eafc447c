import { operations, operationTitle } from "../../spec/operations.ts";
import { waits } from "../../model/bounds.ts";
import { isRefusal, isSuccess, messageOf, type Exchange } from "../../model/exchange.ts";
import { changeOf, type RequestSpec } from "../../model/request.ts";
import { hintAfter, hintOn } from "../errors.ts";
import {
  isCertain,
  isExempt,
  isNoRefusal,
  isRight,
  verdictOn,
  type BrokenRule,
} from "../judging/refusal.ts";
import { isBadCredential } from "./attempt.ts";
import {
  isExamined,
  stayed,
  stepInDoubt,
  type Doubt,
  type Doubts,
  type ChosenStep,
  type Step,
} from "./doubt.ts";
import { adviceOnRefused, isLong, type SendingFacts } from "./facts.ts";

/** A response that counts: to the request, or to a control for it. */
export interface Answer {
  readonly isControl: boolean;
  readonly by: string;
  readonly exchange: Exchange;
  /** The good token from which the bad one of the request was made. */
  readonly madeFrom?: string | undefined;
  /** The control says that good requests are refused too, or were until the run had waited. */
  readonly isRefused?: boolean;
}

/** What only the run knows. */
interface LiveTarget {
  /** How long a new resource may be unknown to some nodes, in milliseconds (grace period). */
  readonly grace: number;
  /** How long some node may still not know what this request names, in milliseconds. */
  readonly unknownFor: number;
  /**
   * The requirement was broken before, and the share of requests that show failures again is used
   * up: no control is sent.
   */
  readonly isShownEnough: boolean;
}

/** What the doubts about answers look at. */
interface AnswerSituation {
  readonly spec: RequestSpec;
  readonly facts: Readonly<SendingFacts>;
  readonly history: readonly Answer[];
  /** The last answer to the request itself. */
  readonly exchange: Exchange;
  readonly live: LiveTarget;
}

/** How often a bad credential is presented at most, while a lock-out may explain its refusal. */
const mostTimes = 3;

/** Why the refusal of bad credentials shows nothing, and what to mend. */
function unclear({ spec, facts }: AnswerSituation): string {
  const what = "the refusal of bad credentials says nothing while good ones do not succeed either";
  const known = facts.lockedOut.get(operations[spec.operation].credential);
  const { operation } = spec;
  const refuses = `${operationTitle(operation)} refuses them. ${adviceOnRefused(facts, operation)}`;
  return `${what}: ${known ?? refuses}`;
}

/** The shortest and the longest pause before a request is sent again, in milliseconds. */
const shortestPause = 100;
const longestPause = 1000;

function pauseAfter(nth: number, first: number): number {
  return nth === 0 ? first : Math.min(first * 2 ** nth, longestPause);
}

/** What may explain an answer beside what the server makes of the request. */
export const doubts = {
  /** Answers now and then with 500 by chance, or lets requests wait until they fail (INT-04). */
  crash: {
    when: ({ spec, exchange, facts }) =>
      exchange.response.status >= 500 &&
      ((spec.refusal !== undefined && !isExempt(exchange)) || isLong(exchange, facts)),
    known: { after: 0, step: lastStep },
    again: (_, { history }) =>
      history.findLast(({ isControl }) => !isControl)?.by === "crash, again"
        ? undefined
        : { isAlone: true },
    stays: { step: lastStep },
  },
  /** Refuses valid requests too: a quota, a limit, a lock, a firewall (INT-11). */
  "other refusal": {
    when: (s) =>
      s.spec.refusal?.control !== undefined &&
      !isExempt(s.exchange) &&
      !isNoRefusal(s.exchange) &&
      !(isDemanded(s) && isSure(s)),
    known: { after: 0, is: ({ live }) => live.isShownEnough, step: () => ({ kind: "done" }) },
    control: ({ spec }) => spec.refusal?.control?.(),
    isNoBetter: ({ history }) => history.at(-1)?.isRefused === true,
    outage: (nth, s) => {
      const pauses = isForbidden(s) ? waits.block : [waits.usualLag];
      const isKnown = isForbidden(s) && isExamined(s.facts, "block", "", 1);
      const pause = isKnown ? undefined : pauses[nth];
      return pause === undefined ? undefined : { pause };
    },
    down: {
      step: ({ exchange }) => ({
        kind: "done",
        noVerdict: `the server answers a valid request in the same way (${messageOf(exchange)}), so the status says nothing of this one`,
      }),
      learns: (facts, s) => {
        if (isForbidden(s)) stayed(facts, "block", "");
      },
    },
    confirmed: (s) => (isDemanded(s) ? undefined : { isAlone: true, pause: s.live.unknownFor }),
  },
  /** Locks a client out after ten bad credentials: a refusal counts once good ones are accepted (INT-17). */
  "held refusal": {
    when: (s) =>
      isBadCredential(s.spec) &&
      s.spec.refusal !== undefined &&
      !isExempt(s.exchange) &&
      isDemanded(s),
    control: () => "proof",
    isNoBetter: ({ history }) => history.at(-1)?.isRefused === true,
    outage: (nth) => (nth < mostTimes - 1 ? {} : undefined),
    down: { step: (s) => ({ kind: "done", noVerdict: unclear(s) }) },
  },
  /** Accepts a request once each node knows what it names (INT-11). */
  "not accepted yet": {
    when: (s) => s.spec.mustSucceed === true && namesNew(s),
    again: (nth, s) => {
      const first = Math.max(shortestPause, Math.min(s.facts.lag, s.live.grace / 2));
      const pause = pauseAfter(nth, first);
      return elapsed(s) + pause <= s.live.grace ? { pause } : undefined;
    },
    known: {
      after: 0,
      often: 1,
      is: ({ facts, spec }, isExamined) => isExamined && !facts.accepting.has(spec.operation),
      step: refusedThroughout,
    },
    stays: { step: refusedThroughout },
    passes: (facts, s) => void (facts.lag = Math.max(facts.lag, elapsed(s))),
  },
  /** Shows what was created after a moment (INT-29). */
  "not shown yet": {
    when: ({ spec: { awaits }, exchange }) =>
      awaits !== undefined &&
      isSuccess(exchange) &&
      !awaits.isShown(exchange) &&
      exchange.at < awaits.until,
    again: (nth, { spec: { awaits }, exchange }) => {
      const left = Math.max(0, (awaits?.until ?? 0) - endOf(exchange));
      return { pause: Math.min(pauseAfter(nth, shortestPause), left) };
    },
  },
} satisfies Doubts<AnswerSituation>;

/** What comes next after an answer. */
export function stepAfterAnswer(
  spec: RequestSpec,
  history: readonly Answer[],
  facts: Readonly<SendingFacts>,
  live: LiveTarget,
): ChosenStep {
  const exchange = history.findLast(({ isControl }) => !isControl)?.exchange;
  if (exchange === undefined) throw new Error("no response counts");
  const s = { spec, facts, history, exchange, live };
  const chosen = stepInDoubt<AnswerSituation>(doubts, s, (again, other) => ({
    kind: "ask",
    of: typeof other === "object" ? "control" : (other ?? "request"),
    ...again,
  }));
  return chosen ?? { by: "no doubt", step: lastStep(s), learn: (facts) => learnPassed(facts, s) };
}

function lastStep(s: AnswerSituation): Step {
  const { spec, exchange } = s;
  if (spec.refusal !== undefined)
    return { kind: "done", judgements: verdictOn(rulesOf(s), exchange) };
  return spec.mustSucceed !== true || isSuccess(exchange) ? { kind: "done" } : refusedThroughout(s);
}

/** Learns from the doubts that went away until the request succeeded. */
function learnPassed(facts: SendingFacts, s: AnswerSituation): void {
  if (!isSuccess(s.exchange)) return;
  for (const { when, passes } of Object.values<Doubt<AnswerSituation>>(doubts))
    if (s.history.some(({ exchange }) => when({ ...s, exchange }))) passes?.(facts, s);
}

function refusedThroughout({ spec: { operation }, exchange }: AnswerSituation): Step {
  const hint = hintAfter(exchange, hintOn[operation]);
  return {
    kind: "stop",
    reason: `${operationTitle(operation)} answered a valid request with ${messageOf(exchange)}. ${hint}`,
    ...(isRefusal(exchange) && { gap: "refusal" }),
  };
}

/** When an exchange ended, in milliseconds since the run started. */
function endOf({ at, response }: Exchange): number {
  return at + response.took;
}

/** How long the request has been on its way, in milliseconds. */
function elapsed({ history: [first], exchange }: AnswerSituation): number {
  return first === undefined ? 0 : endOf(exchange) - first.exchange.at;
}

function rulesOf({ spec: { intent, refusal } }: AnswerSituation): readonly BrokenRule[] {
  return [{ change: changeOf(intent), ...(refusal && { refusal }) }];
}

/** Whether a refusal is about a mistake. What a bad credential was accepted for may be used up. */
function isSure({ spec, exchange, facts }: AnswerSituation): boolean {
  const { refusal, operation } = spec;
  const isUsedUp = isBadCredential(spec) && facts.admitting.has(operation);
  return (
    refusal !== undefined &&
    isCertain(isUsedUp ? { ...refusal, isControlRefused: true } : refusal, exchange)
  );
}

/** Whether the answer is the refusal that is demanded. */
function isDemanded(s: AnswerSituation): boolean {
  return isRight(rulesOf(s), s.exchange);
}

function isForbidden({ exchange }: AnswerSituation): boolean {
  return exchange.response.status === 403;
}

/** Whether a refused valid request names a resource that some node may not know yet. */
function namesNew({ spec: { operation }, exchange }: AnswerSituation): boolean {
  return isRefusal(exchange) && (operation === "createOperation" || operation === "addAcamItem");
}

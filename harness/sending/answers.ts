import { operationTitle } from "../../spec/operations.ts";
import { isRedirection, isRefusal, isSuccess, messageOf } from "../../model/exchange.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { RequestSpec } from "../../model/request.ts";
import { hintOn } from "../errors.ts";
import type { SendingFacts } from "./facts.ts";
import type { CountedResponse } from "./refusals.ts";
import {
  ask,
  choiceOf,
  nothing,
  nothingStated,
  type AskStep,
  type ChosenStep,
  type DoneStep,
  type SendingRow,
  type StopStep,
} from "./step.ts";

/** What the rows look at after a response to a request that need not be refused. */
interface AnswerSituation {
  readonly spec: RequestSpec;
  readonly facts: Readonly<SendingFacts>;
  /**
   * How long a new resource may be unknown to some nodes of the target, in milliseconds (the grace
   * period).
   */
  readonly grace: number;
  /** All responses so far, the last of them, and how many came before it. */
  readonly responses: readonly CountedResponse[];
  readonly exchange: Exchange;
  readonly times: number;
}

/**
 * The shortest and the longest pause, in milliseconds, before a request is sent again because the
 * target may not know a new resource yet.
 */
const shortestPause = 100;
const longestPause = 1000;

function pauseAfter(times: number, first: number): number {
  return times === 0 ? first : Math.min(first * 2 ** times, longestPause);
}

/**
 * The pause after a refusal, in milliseconds. The first one is as long as earlier resources took to
 * be known (`lag`), so that fewer requests are needed.
 */
function refusedPause({ facts, grace, times }: AnswerSituation): number {
  return pauseAfter(times, Math.max(shortestPause, Math.min(facts.lag, grace / 2)));
}

const endOf = ({ at, response }: Exchange): number => at + response.took;

/** Milliseconds from the first request to the end of the last response. */
function elapsed({ responses: [first], exchange }: AnswerSituation): number {
  return first?.of === "request" ? endOf(exchange) - first.exchange.at : 0;
}

/**
 * Whether a refusal may be temporary, because the request names a resource that was created a
 * moment ago.
 */
function mayPass({ spec: { operation }, facts, exchange }: AnswerSituation): boolean {
  return (
    isRefusal(exchange) &&
    (operation === "createOperation" || operation === "addAcamItem") &&
    !facts.refusingValid.has(operation)
  );
}

function isShown({ spec: { awaits }, exchange }: AnswerSituation): boolean {
  return awaits === undefined || awaits.isShown(exchange) || exchange.at >= awaits.until;
}

function refusedThroughout({
  spec: { operation },
  exchange,
  responses,
}: AnswerSituation): StopStep {
  const last = responses.at(-1);
  const broken = last?.of === "request" && !isRefusal(exchange) ? (last.breaks ?? []) : [];
  const cause = broken.length === 0 ? "" : `, which breaks ${broken.join(", ")}`;
  const hint = isRedirection(exchange) ? redirectionHint : hintOn[operation];
  return {
    kind: "stop",
    reason: `${operationTitle(operation)} answered a valid request with ${messageOf(exchange)}${cause}. ${hint}`,
    ...(isRefusal(exchange) && { gap: "refusal" }),
  };
}

const redirectionHint = "Redirections are not followed: check the base URL (--base-url).";

/**
 * What comes next after a response to a request that need not be refused. The first row that
 * applies decides.
 */
export const answers = {
  "any answer": {
    for: ["INT-05", "Every server."],
    when: ({ spec }) => spec.mustSucceed !== true,
    step: () => nothing,
  },
  "not shown yet": {
    for: ["INT-29", "Shows what was created after a moment.", "list-lags-one-second"],
    when: (s) => isSuccess(s.exchange) && !isShown(s),
    step: ({ spec: { awaits }, exchange, times }) => {
      const left = Math.max(0, (awaits?.until ?? 0) - endOf(exchange));
      return ask("request", { pause: Math.min(pauseAfter(times, shortestPause), left) });
    },
  },
  success: {
    for: ["INT-11", "Accepts a request once each node knows what it names.", "counterparty-lags"],
    when: ({ exchange }) => isSuccess(exchange),
    step: () => nothing,
    learns: (facts, s) => {
      const isLate = s.responses.some((one) => one.of === "request" && isRefusal(one.exchange));
      if (isLate) facts.lag = Math.max(facts.lag, elapsed(s));
    },
  },
  "not accepted yet": {
    for: ["INT-11", "Accepts a request once each node knows what it names.", "counterparty-lags"],
    when: (s) => mayPass(s) && elapsed(s) + refusedPause(s) <= s.grace,
    step: (s) => ask("request", { pause: refusedPause(s) }),
  },
  refused: {
    for: [
      "INT-11",
      "Refuses valid requests: a quota, a limit, a rule of its own.",
      "counterparties-five",
    ],
    when: () => true,
    step: refusedThroughout,
    learns: (facts, s) => {
      const { operation } = s.spec;
      if (mayPass(s) && !facts.accepting.has(operation)) facts.refusingValid.add(operation);
    },
  },
} satisfies Record<string, SendingRow<AnswerSituation, AskStep | DoneStep | StopStep>>;

/** What comes next after a response to a request that need not be refused. */
export function stepAfterAnswer(
  spec: RequestSpec,
  responses: readonly CountedResponse[],
  facts: Readonly<SendingFacts>,
  grace: number,
): ChosenStep<AskStep | DoneStep | StopStep> {
  const last = responses.at(-1);
  if (last?.of !== "request") throw new Error("no response counts");
  const situation = {
    spec,
    facts,
    grace,
    responses,
    exchange: last.exchange,
    times: responses.length - 1,
  };
  return (
    choiceOf<AnswerSituation, AskStep | DoneStep | StopStep>(answers, situation) ?? nothingStated
  );
}

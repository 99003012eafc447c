import { defined } from "../../model/defined.ts";
import { saysTheSame, type Exchange } from "../../model/exchange.ts";
import { hintOn, Inconclusive } from "../errors.ts";
import type { Answer } from "./answer-doubts.ts";
import { isBadCredential, isGatewayError, type Attempt } from "./attempt.ts";
import { passedDoubts } from "./attempt-doubts.ts";
import {
  stayed,
  requestIn,
  type CountsStep,
  type DoneStep,
  type Observed,
  type Step,
  type StopStep,
  type TriedAttempt,
} from "./doubt.ts";
import { enough, isLong, type SendingFacts } from "./facts.ts";
import { answerIn, askedIn, type AskedRequest, type Sending, type SharedParts } from "./sending.ts";
import { sessionOrigin } from "./session.ts";

/** What requests got that waited for others, and after how long, in the words of a warning. */
function oneAtATime(held: SendingFacts["heldUp"]): string {
  const got = [...new Set(held.map(({ status }) => status ?? "no answer"))].join(" or ");
  const seconds = Math.max(...held.map(({ took }) => took)) / 1000;
  return `Requests in flight together wait for one another: ${held.length} got ${got} after up to ${seconds.toFixed(1)} s, and were answered when they were sent again alone. The run went on with one at a time, as with --concurrency 1.`;
}

/** A request that got no answer but from a gateway: how long it took, and the status if it has one. */
function withoutAnswer({ response, failure }: Attempt): SendingFacts["heldUp"] {
  if (failure?.kind === "timeout") return [{ took: failure.took }];
  return response !== undefined && isGatewayError(response.status) ? [response] : [];
}

const fewConnections = (most: number): string =>
  `The server, or what stands before it, takes about ${most === 1 ? "one connection" : `${most} connections`} at a time and closes further ones, or lets them wait: the run went on with as many. --concurrency sets how many it begins with.`;

export type Effects = ReturnType<typeof createEffects>;

/** What the steps of requests cause: what is observed, judged, recorded and learnt. */
export function createEffects(parts: SharedParts) {
  const { facts, judge, recorder, scheduler, learn: learnFrom } = parts;
  const observe = (observed: Observed | undefined): void => {
    if (observed !== undefined) recorder.observe(observed[0], "any request", observed[1]);
  };

  /** Records what a step shows, whatever comes next. */
  function take({ observes, waiting }: Step): void {
    observe(observes);
    if (waiting !== undefined) recorder.progress.waits(waiting);
  }

  /** A response counts: to the request, or to a control for it. */
  function counted(sending: Sending, exchange: Exchange, { judgements = [] }: CountsStep): void {
    const { origin, tried } = sending;
    const asked = askedIn(sending);
    crowded(parts, tried);
    passedDoubts(facts, asked.spec, tried).forEach(observe);
    judge.conclude(asked.spec, origin, exchange, judgements);
    const held = tried.filter((one) => !one.isAlone && isLong(one, facts)).flatMap(withoutAnswer);
    if (requestIn(tried)?.isAlone === true) heldUp(parts, held);
    if (origin !== sessionOrigin) learnFrom(exchange);
    sending.shown.push(answerOf(parts, sending, asked, exchange));
    sending.asked = undefined;
    sending.tried = [];
  }

  /** The last answer is the final one. */
  function done(sending: Sending, { judgements = [], noVerdict }: DoneStep): Exchange {
    const { spec, origin } = sending;
    const exchange = answerIn(sending)?.exchange;
    if (exchange === undefined) throw new Error("a request is done without a response");
    judge.conclude(spec, origin, exchange, judgements);
    heldUpCrashes(parts, sending, exchange);
    if (noVerdict !== undefined && spec.refusal !== undefined && !isBadCredential(spec))
      recorder.inconclusive(spec.refusal.requirement, `${noVerdict}. ${hintOn[spec.operation]}`);
    return exchange;
  }

  /** No response counts. Returns the error that says why. */
  function stopped(sending: Sending, step: StopStep): Inconclusive {
    const { reason, gap, isLost, judgements = [] } = step;
    const { asked, origin, tried } = sending;
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

  return { take, counted, done, stopped };
}

type CrowdParts = Pick<SharedParts, "facts" | "scheduler" | "recorder">;

/** A request that failed after a long wait was answered alone. */
function heldUp({ facts, scheduler, recorder }: CrowdParts, [one]: SendingFacts["heldUp"]): void {
  if (one === undefined) return;
  facts.heldUp.push(one);
  if (facts.heldUp.length !== enough) return;
  scheduler.atMost(1);
  recorder.note("warning", oneAtATime(facts.heldUp));
}

/** Notes what the last answer to a request shows of its crashes, and whether others caused them. */
function heldUpCrashes(
  parts: CrowdParts,
  { shown, spec }: Sending,
  { id, response: { status } }: Exchange,
): void {
  const own = shown.filter(({ isControl }) => !isControl);
  if (own.at(-1)?.by !== "long wait, again") return;
  const crashed = own.filter(({ exchange: one }) => one.id !== id && one.response.status >= 500);
  const comesBack = status >= 500;
  for (const { exchange } of crashed) parts.recorder.tried(exchange.id, { comesBack });
  if (comesBack) return stayed(parts.facts, "long wait", spec.operation);
  heldUp(
    parts,
    crashed.map(({ exchange: { response } }) => response),
  );
}

/**
 * Learns how few connections the server takes: a request on a new one got no response while others
 * were open, and one once they were closed. After two such requests the run goes on with as many.
 */
function crowded({ facts, scheduler, recorder }: CrowdParts, tried: readonly TriedAttempt[]): void {
  const last = requestIn(tried);
  const before = tried.findLast(({ isControl, failure }) => !isControl && failure !== undefined);
  const beside = before?.failure?.beside ?? 0;
  if (last?.isAlone !== true || before?.isAlone !== false || beside === 0) return;
  facts.crowds.push(beside);
  if (facts.crowds.length !== 2) return;
  const most = Math.min(...facts.crowds);
  scheduler.atMost(Math.max(1, most - 1));
  recorder.note("warning", fewConnections(most));
}

function answerOf(
  { facts, judge }: Pick<SharedParts, "facts" | "judge">,
  sending: Sending,
  { of, by, ...asked }: AskedRequest,
  exchange: Exchange,
): Answer {
  if (of === "request") {
    const breaks = judge.violationsOf(exchange).map(({ requirement }) => requirement);
    const { token } = requestIn(sending.tried) ?? {};
    const madeFrom = asked.spec.withToken === undefined ? undefined : token;
    return { isControl: false, by, exchange, breaks, madeFrom };
  }
  const before = answerIn(sending)?.exchange;
  const isRefused =
    (before !== undefined && saysTheSame(exchange, before)) ||
    [401, 403].includes(exchange.response.status) ||
    facts.lockOutWaits > asked.lockOutWaits;
  return { isControl: true, by, exchange, isRefused };
}

import { beginningOf } from "../../model/bodies.ts";
import { bounds } from "../../model/bounds.ts";
import { defined } from "../../model/defined.ts";
import {
  saysTheSame,
  type CreationShare,
  type Exchange,
  type Origin,
  type ReceivedResponse,
} from "../../model/exchange.ts";
import type { Recorder } from "../../model/evidence/recorder.ts";
import type { Redaction } from "../../model/evidence/redaction.ts";
import { presentsItsOwn, usesSession, type RequestSpec } from "../../model/request.ts";
import { operations } from "../../spec/operations.ts";
import { hintOn, Inconclusive } from "../errors.ts";
import type { Judge } from "../judging/judge.ts";
import type { RuleContext } from "../judging/rules/rule.ts";
import type { Answer } from "./answer-doubts.ts";
import {
  isBadCredential,
  isGatewayError,
  type Attempt,
  type AttemptParts,
  type Attempts,
} from "./attempt.ts";
import { passedDoubts } from "./attempt-doubts.ts";
import {
  requestIn,
  type AskStep,
  type CountsStep,
  type DoneStep,
  type Observed,
  type SendStep,
  type Step,
  type StopStep,
  type TriedAttempt,
} from "./doubt.ts";
import {
  enough,
  isLong,
  learn,
  limitOf,
  longestOf,
  timeoutOf,
  type SendingFacts,
} from "./facts.ts";
import { sessionOrigin, type Session } from "./credentials.ts";
import { type createResponseQueue, type Scheduler, type Turn, pause } from "./turns.ts";

export interface SenderParts extends AttemptParts {
  readonly scheduler: Scheduler;
  readonly redaction: Redaction;
  readonly ruleContext: RuleContext;
  readonly signal: AbortSignal;
  /** Waits until no requests but those with bad credentials are sent any more. */
  readonly quiet: () => Promise<void>;
  /**
   * Called with each exchange that counts, except for those that no scenario asked for
   * (`sessionOrigin`).
   */
  readonly learn: (exchange: Exchange) => void;
}

/** What all requests of a run share. */
export interface SharedParts extends SenderParts {
  readonly facts: SendingFacts;
  readonly attempts: Attempts;
  readonly session: Session;
  readonly judge: Judge;
  readonly responses: ReturnType<typeof createResponseQueue>;
}

/** A request on its way: what a scenario wants to send, and what came of it so far. */
export interface Sending {
  readonly spec: RequestSpec;
  readonly origin: Origin;
  /** What is being sent now. Absent while the last answer is looked at. */
  asked: AskedRequest | undefined;
  /** The attempts since the last response that counted. */
  tried: TriedAttempt[];
  /** The responses that counted so far. */
  readonly shown: Answer[];
}

/** What is being sent: the request itself, or a control that its refusal needs. */
interface AskedRequest extends Pick<AskStep, "of" | "isAlone"> {
  readonly spec: RequestSpec;
  readonly by: string;
  /** How many waits for the end of a lock-out there were before this request. */
  readonly lockOutWaits: number;
}

function askedIn({ asked }: Sending): AskedRequest {
  if (asked === undefined) throw new Error("nothing is sent now");
  return asked;
}

/** The last answer to the request itself. */
export function answerIn({ shown }: Pick<Sending, "shown">): Answer | undefined {
  return shown.findLast(({ isControl }) => !isControl);
}

/** Whether the requirement that the request is about was broken before. */
export function isBrokenBefore(
  { refusal }: RequestSpec,
  { recorder }: Pick<SharedParts, "recorder">,
): boolean {
  return refusal !== undefined && recorder.isBroken(refusal.requirement);
}

/**
 * Makes an attempt of the request, or of a control for it, after everything that the attempt has
 * to wait for.
 */
export async function sent(
  run: SharedParts,
  sending: Sending,
  by: string,
  step: SendStep,
  turn: Turn,
): Promise<TriedAttempt> {
  const { facts, judge, responses, scheduler } = run;
  const isControl = step.other !== undefined;
  const spec = step.other ?? askedIn(sending).spec;
  await readied(run, sending, spec, step, turn);
  const order = orderOf(spec, isControl, sending.origin);
  const attempted = (): Promise<Attempt> => attemptOf(run, sending, spec, step, turn.isExclusive);
  const attempt = await turn.send(order, attempted);
  try {
    learn(facts, spec, attempt);
    const { response, sign, wait } = attempt;
    if (response !== undefined && wait === 0) scheduler.responded();
    const tried = { ...attempt, isControl, by };
    // If something on the way may explain the response, it is judged only once it counts.
    if (response === undefined || sign !== undefined) return withoutLargeBody(tried);
    // What a response says of the token concerns all requests.
    const isOfToken = order.isToken || (usesSession(spec) && response.status === 401);
    await responses.turn(isOfToken ? Infinity : order.urgency);
    const origin = isControl ? sessionOrigin : sending.origin;
    return { ...tried, exchange: judge.judge(spec, origin, { ...attempt, response }) };
  } finally {
    attempt.letGo?.();
  }
}

/**
 * Waits as long as the step says, and fetches a token before the turn begins, because a request
 * with a turn never waits for another request.
 */
async function readied(
  run: SharedParts,
  sending: Sending,
  spec: RequestSpec,
  { pause: wait = 0, forAll, newToken }: SendStep,
  turn: Turn,
): Promise<void> {
  const { scheduler, session, signal } = run;
  guard(run, sending, spec, wait);
  if (forAll === true) scheduler.throttled(wait);
  else if (wait > 0) await pause(wait, signal);
  if (newToken === true) await session.renew(requestIn(sending.tried)?.token, turn);
  if (needsToken(spec)) await session.token(turn);
}

function attemptOf(
  run: SharedParts,
  sending: Sending,
  spec: RequestSpec,
  step: SendStep,
  isAlone: boolean,
): Promise<Attempt> {
  const { attempts, facts, session, settings } = run;
  guard(run, sending, spec, 0);
  const token = needsToken(spec) ? session.current() : undefined;
  const isFresh = step.isFresh === true || spec.isOnFreshConnection === true;
  const how = {
    token,
    isFresh,
    spare: isFresh ? undefined : spec.spareConnection,
    isAlone,
    timeout: isFresh && isAlone ? settings.timeout : timeoutOf(facts),
  };
  return attempts.send({ ...spec, ...spec.withToken?.(token ?? "") }, how, shareOf(run, sending));
}

/**
 * The share that a request belongs to. Requests that show a failure again have their own share
 * until it is used up.
 */
function shareOf(run: SharedParts, { spec, origin, shown }: Sending): CreationShare {
  const { share = "ordinary" } = origin;
  const isProof = shown.length > 0 && isBrokenBefore(spec, run) && !run.attempts.isSpent("proof");
  return share === "ordinary" && isProof ? "proof" : share;
}

/** Throws Inconclusive if this must not be sent in `wait` milliseconds from now. */
function guard(run: SharedParts, sending: Sending, spec: RequestSpec, wait: number): void {
  const { attempts, facts, settings } = run;
  const at = attempts.elapsed() + wait;
  const reason = heldBack(spec, facts, at, longestOf(settings, facts));
  if (reason !== undefined) throw stopped(run, sending, { kind: "stop", reason });
}

/** Records what a step shows, whatever comes next. */
export function take({ recorder }: SharedParts, { observes, waiting }: Step): void {
  observe(recorder, observes);
  if (waiting !== undefined) recorder.progress.waits(waiting);
}

/**
 * The last response to the request, or to a control for it, counts. It is judged first if
 * something on the way could explain it.
 */
export function counted(run: SharedParts, sending: Sending, { judgements = [] }: CountsStep): void {
  const { facts, judge, recorder } = run;
  const { origin, tried } = sending;
  const asked = askedIn(sending);
  const last = requestIn(tried);
  if (last?.response === undefined) throw new Error("nothing counts");
  const exchange = last.exchange ?? judge.judge(asked.spec, origin, last);
  for (const one of passedDoubts(facts, asked.spec, tried)) observe(recorder, one);
  judge.conclude(asked.spec, origin, exchange, judgements);
  if (last.isAlone)
    crowded(
      run,
      tried.flatMap((one) => crowdedIn(one, facts)),
    );
  if (origin !== sessionOrigin) run.learn(exchange);
  sending.shown.push(answerOf(facts, sending, asked, exchange, last));
  sending.asked = undefined;
  sending.tried = [];
}

/** The last answer is the final one. */
export function done(
  run: SharedParts,
  sending: Sending,
  { judgements = [], noVerdict }: DoneStep,
): Exchange {
  const { spec, origin } = sending;
  const exchange = answerIn(sending)?.exchange;
  if (exchange === undefined) throw new Error("a request is done without a response");
  run.judge.conclude(spec, origin, exchange, judgements);
  crowdedCrashes(run, sending, exchange);
  if (noVerdict !== undefined && spec.refusal !== undefined && !isBadCredential(spec))
    run.recorder.inconclusive(spec.refusal.requirement, `${noVerdict}. ${hintOn[spec.operation]}`);
  return exchange;
}

/** No response counts. Returns the error that says why. */
export function stopped(run: SharedParts, sending: Sending, step: StopStep): Inconclusive {
  const { facts, recorder, scheduler } = run;
  const { reason, gap, isLost, judgements = [] } = step;
  const { asked, origin, tried } = sending;
  const { operation, intent } = asked?.spec ?? sending.spec;
  for (const { requirement, violation } of judgements) {
    if (violation === undefined) recorder.inconclusive(requirement, reason, { cutShort: true });
    else
      recorder.violated(requirement, origin, {
        ...violation,
        operation,
        intent,
        ...defined({ request: requestIn(tried)?.sent }),
      });
  }
  if (isLost === true && facts.lost === undefined) {
    facts.lost = reason;
    scheduler.release();
    recorder.note("untestable", reason);
  }
  return new Inconclusive(reason, gap, operation);
}

function observe(recorder: Recorder, observed: Observed | undefined): void {
  if (observed !== undefined) recorder.observe(observed[0], "any request", observed[1]);
}

/** When a request goes out. What others wait for goes first. */
function orderOf(spec: RequestSpec, isControl: boolean, { urgency = 0 }: Origin) {
  return {
    urgency: isControl || spec.isUrgent === true ? Infinity : urgency,
    isToken: spec.operation === "createToken" && !presentsItsOwn(spec),
  };
}

/**
 * Whether an attempt that was not alone may have failed because of others: it got no response on a
 * new connection, or waited long, and got none or that of a gateway.
 */
function crowdedIn(attempt: TriedAttempt, facts: SendingFacts): SendingFacts["crowded"] {
  const { failure, isAlone, isControl, response } = attempt;
  if (isAlone || isControl) return [];
  const { beside = 0, took = 0 } = failure ?? {};
  if (beside > 0) return [{ most: Math.max(1, beside - 1), took }];
  if (!isLong(attempt, facts)) return [];
  if (failure?.kind === "timeout") return [{ most: 1, took }];
  return response !== undefined && isGatewayError(response.status) ? [heldUp(response)] : [];
}

const heldUp = ({ status, took }: ReceivedResponse) => ({ status, took, most: 1 });

type CrowdParts = Pick<SharedParts, "facts" | "scheduler" | "recorder" | "client">;

/** A request that failed beside others was answered alone. After a few, the run goes on with fewer. */
function crowded(parts: CrowdParts, [one]: SendingFacts["crowded"]): void {
  const { facts, scheduler, recorder, client } = parts;
  if (one === undefined) return;
  facts.crowded.push(one);
  if (facts.crowded.length !== enough) return;
  const most = Math.min(...facts.crowded.map((each) => each.most));
  const got = [...new Set(facts.crowded.map(({ status }) => status ?? "no answer"))].join(" or ");
  const seconds = Math.max(...facts.crowded.map(({ took }) => took)) / 1000;
  scheduler.atMost(most);
  client.atMost(most);
  recorder.note(
    "warning",
    `Requests in flight together keep one another from being answered: ${enough} got ${got} after up to ${seconds.toFixed(1)} s, and were answered when they were sent again alone. The run went on with as many as this server, or what stands before it, takes: as with --concurrency ${most}.`,
  );
}

/** Notes which crashes of a request did not come back, and whether others caused them. */
function crowdedCrashes(
  parts: CrowdParts,
  { shown }: Sending,
  { id, response: { status } }: Exchange,
): void {
  const own = shown.filter(({ isControl }) => !isControl);
  if (own.at(-1)?.by !== "crash, again" || status >= 500) return;
  const crashed = own.filter(({ exchange: one }) => one.id !== id && one.response.status >= 500);
  for (const { exchange } of crashed) parts.recorder.tried(exchange.id, { comesBack: false });
  crowded(
    parts,
    crashed.flatMap(({ exchange: { response } }) =>
      isLong({ response }, parts.facts) ? [heldUp(response)] : [],
    ),
  );
}

function answerOf(
  facts: SendingFacts,
  { spec, shown }: Sending,
  { of, by, lockOutWaits }: AskedRequest,
  exchange: Exchange,
  { token }: TriedAttempt,
): Answer {
  if (of === "request")
    return { isControl: false, by, exchange, madeFrom: spec.withToken && token };
  const before = answerIn({ shown })?.exchange;
  const isRefused =
    (before !== undefined && saysTheSame(exchange, before)) ||
    [401, 403].includes(exchange.response.status) ||
    facts.lockOutWaits > lockOutWaits;
  return { isControl: true, by, exchange, isRefused };
}

/** What is sent again is kept without a large body, which would wait in memory until it counts. */
function withoutLargeBody(attempt: TriedAttempt): TriedAttempt {
  const { response } = attempt;
  if (response === undefined || response.body.length < bounds.largeBody) return attempt;
  const text = `the body is larger than ${bounds.largeBody} bytes`;
  const defect = response.defect ?? ({ kind: "too large", text } as const);
  return { ...attempt, response: { ...response, defect, body: beginningOf(response.body) } };
}

/** Whether a request is sent with the good token, or with something that is made from it. */
function needsToken(spec: RequestSpec): boolean {
  return usesSession(spec) || spec.withToken !== undefined;
}

/**
 * Why a request is not sent at all. Undefined: it is sent. `at`: when it would be sent; `longest`: how
 * long a run may send requests (INT-50), both in milliseconds since the run started.
 */
export function heldBack(
  spec: RequestSpec,
  facts: Readonly<SendingFacts>,
  at: number,
  longest: number,
): string | undefined {
  if (facts.lost !== undefined) return facts.lost;
  // What an operation asks of good requests binds bad credentials, too.
  const bars = [spec.operation, limitOf(spec)].map((limit) => facts.barred.get(limit));
  const bar = bars.find((one) => one !== undefined && at < one.until);
  if (bar !== undefined) return `not sent: ${bar.reason}`;
  const lockedOut = facts.lockedOut.get(operations[spec.operation].credential);
  if (isBadCredential(spec) && lockedOut !== undefined) return `not sent: ${lockedOut}`;
  if (at < longest) return undefined;
  return `not sent: a run starts no request after ${Math.round(longest / 1000)} s (--max-time). Raise it, or find out what keeps the run waiting: limits of the server for this client, errors that pass, or requests without a response.`;
}

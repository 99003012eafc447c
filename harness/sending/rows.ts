import { other } from "../../model/mistake.ts";
import { inputOf } from "../judging/rules/words.ts";
import { requirementOf } from "../../spec/catalogue.ts";
import { operationTitle } from "../../spec/operations.ts";
import { waits } from "../../model/bounds.ts";
import { hasNoObject, noObjectInput } from "../../model/request-facts.ts";
import {
  requestText,
  valid,
  type RequestSpec,
  presentsItsOwn,
  usesSession,
} from "../../model/request.ts";
import { type Judgement, type Violation, broken } from "../../model/judgement.ts";
import { throttlingText, type Sign } from "./attempt.ts";
import { enough, increase, type SendingFacts } from "./facts.ts";
import { listRequest } from "./session.ts";
import {
  situationOf,
  times,
  isMissing,
  isCut,
  isUnread,
  isTimeout,
  isAlone,
  isControlled,
  hasControl,
  isOfGateway,
  hasGatewayError,
  isKnown,
  isControlRefused,
  isThrottled,
  isTooLong,
  secretsOf,
  isTokenRefused,
  isAboutToken,
  canAskList,
  asksForList,
  isOfLockOut,
  isTokenGood,
  wasLatelyAccepted,
  mayBeLockedOut,
  title,
  words,
  seconds,
  noResponse,
  type Situation,
} from "./situation.ts";
import {
  choiceOf,
  type ChosenStep,
  type RequestEnd,
  type Observed,
  type SendingRow,
  type SendStep,
  type Step,
  type TriedAttempt,
} from "./step.ts";

const again = { kind: "send" } as const;
const fresh = { kind: "send", isFresh: true } as const;
const alone = { kind: "send", isAlone: true } as const;
const counts = { kind: "counts" } as const;
const stop = (reason: string) => ({ kind: "stop", reason }) as const;

/**
 * Sends something other than the examined request, to see whether the target responds: the list if
 * the request is itself for a token and there is a token already, and otherwise a token.
 */
function ofTarget({ spec, facts }: Situation): SendStep {
  const isList = spec.operation === "createToken" && facts.token !== undefined;
  return {
    kind: "send",
    other: isList ? listRequest : { operation: "createToken", intent: valid },
    isFresh: true,
  };
}
const ofToken: SendStep = { kind: "send", other: listRequest };

const lockOutWait = (s: Situation, id: string): number => waits.lockOut[times(s, id)] ?? 0;

function lockOut(s: Situation, id: string, what: string) {
  const pause = lockOutWait(s, id);
  return { ...alone, pause, waiting: `${what}, waiting ${pause / 1000} s` };
}

function learnPause(facts: SendingFacts, pause: number): void {
  if (facts.badCredentials === 0) return;
  facts.waitedForBadCredentials += pause;
  facts.hasLongLockOut ||= pause >= waits.longLockOut;
}

function learnLockOut(facts: SendingFacts, s: Situation, id: string): void {
  learnPause(facts, lockOutWait(s, id));
  facts.lockOutWaits += 1;
}

function learnAfterLockOut(facts: SendingFacts, { spec, status }: RequestEnd): undefined {
  facts.isLockedOut = isOfLockOut(status);
  if (facts.isLockedOut) facts.refusing.add(spec.operation);
}

/**
 * The observation that a sign (`before`) went away when the request was sent again: the status that
 * was the sign, and what helped (`how`). Undefined if there was no such sign, or if it stayed.
 */
function passed(
  { tried, counts, sign }: RequestEnd,
  before: Sign,
  how: string,
): Observed | undefined {
  const first = tried.find((one) => one.sign === before)?.response;
  return first === undefined || sign === before || !counts
    ? undefined
    : ["OPEN-27", `${first.status} ${how}`];
}

function silence({ spec, request }: Situation): Judgement {
  const { kind = "dropped", message = "" } = request.failure ?? {};
  return broken("HTTP-05", {
    message: `${operationTitle(spec.operation)} gives no response to ${requestText(spec.intent)}.`,
    expected: "a response to every request",
    actual: `no response (${message}), sent alone on a new connection neither; another request was answered`,
    mistake: {
      kind: "silence",
      of: hasNoObject(request.sent) ? noObjectInput : inputOf(spec.intent),
      expected: "a response",
      actual: kind,
    },
  });
}

function refusedToken(s: Situation): Violation {
  return {
    message: `${title(s)} refuses tokens that were just issued.`,
    expected: requirementOf("AUTH-04").statement,
    actual: `two fresh tokens in a row were answered with ${words(s)}`,
    mistake: other(s.spec.operation, "a fresh token is accepted", `status ${s.status}`),
  };
}

/** What comes next after an attempt. The first row that applies decides. */
export const rows = {
  "idle connection": {
    for: ["INT-34", "Closes idle connections with 408.", "connection-idle-408"],
    when: ({ request }) => request.sign === "idle connection",
    step: ({ request }) => (request.isFresh ? { ...alone, isFresh: true } : fresh),
  },

  // Rows for a missing response, or only a part of one.
  dropped: {
    for: [
      "INT-04",
      "Closes idle connections, or drops up to 2 % of them.",
      "connection-idle-50",
      "connection-drops-now-and-then",
    ],
    when: (s) => isUnread(s) && !isTimeout(s) && s.request.isFresh === false,
    step: () => fresh,
  },
  "known hang": {
    for: [
      "INT-04",
      "A faulty server that never answers some requests: the first ones are examined.",
      "list-hangs",
    ],
    when: (s) =>
      isMissing(s) &&
      !isControlled(s) &&
      ((isTimeout(s) && s.facts.hangs) || (s.facts.silences.get(s.spec.operation) ?? 0) >= enough),
    step: (s) => stop(noResponse(s)),
  },
  "known cut": {
    for: [
      "INT-04",
      "A faulty server that cuts its responses short.",
      "counterparty-cut-short-when-long",
    ],
    when: (s) => isCut(s) && (s.facts.cuts.get(s.spec.operation) ?? 0) >= enough,
    step: () => counts,
  },
  incomplete: {
    for: ["INT-04", "Is slow or drops connections while it is busy."],
    when: (s) => isUnread(s) && !isAlone(s),
    step: () => ({ ...alone, isFresh: true }),
  },
  "dropped alone": {
    for: ["INT-04", "Drops up to 2 % of its connections.", "connection-drops-now-and-then"],
    when: (s) =>
      isMissing(s) &&
      !isTimeout(s) &&
      !isControlled(s) &&
      times(s, "dropped alone") < waits.dropped.length,
    step: (s) => ({
      ...alone,
      isFresh: true,
      pause: waits.dropped[times(s, "dropped alone")] ?? 0,
    }),
  },
  control: {
    for: [
      "INT-04",
      "A faulty server that does not answer one request: it answers others.",
      "acam-dropped",
    ],
    when: (s) => isUnread(s) && !isControlled(s) && hasControl(s),
    step: ofTarget,
  },
  "in trouble": {
    for: ["INT-04", "A target that is down."],
    when: (s) => s.last.response === undefined,
    step: (s) => {
      // The request may have been answered, and its control not.
      const why = words({ request: s.last });
      const isLost = isTimeout(s) || s.facts.troubles + 1 >= enough;
      return isLost
        ? {
            ...stop(`the target stopped responding ${seconds(s.last)} s into the run: ${why}`),
            isLost,
          }
        : stop(`the target answered neither ${title(s)} nor anything else for a while: ${why}`);
    },
    learns: (facts) => {
      facts.troubles += 1;
    },
  },
  "slow to all": {
    for: ["INT-04", "Is under such load that responses take more than half the time-out."],
    when: (s) =>
      isMissing(s) && isTimeout(s) && s.facts.recent.some((took) => took > s.facts.timeout / 2),
    step: (s) => stop(noResponse(s)),
  },
  silent: {
    for: ["INT-04", "A faulty server that does not answer this request.", "acam-dropped"],
    when: isMissing,
    step: (s) => ({ ...stop(noResponse(s)), judgements: [silence(s)] }),
    learns: (facts, { spec, request }) => {
      increase(facts.silences, spec.operation);
      facts.hangs ||= request.failure?.kind === "timeout";
    },
  },
  cut: {
    for: [
      "INT-04",
      "A faulty server that cuts its responses short.",
      "counterparty-cut-short-when-long",
    ],
    when: isCut,
    step: () => counts,
    learns: (facts, { spec }) => increase(facts.cuts, spec.operation),
  },

  // Rows for a target that throttles or is busy.
  "put off": {
    for: [
      "INT-13",
      "Limits failed attempts for longer than a run waits.",
      "bad-credentials-limited",
    ],
    when: (s) =>
      isThrottled(s) &&
      presentsItsOwn(s.spec) &&
      (isTooLong(s) || s.facts.putOff.has(secretsOf(s.spec))),
    step: (s) =>
      stop(
        `${title(s)} answers bad ${secretsOf(s.spec)} with ${s.status} for longer than a run waits. Raise the server's limit of failed attempts for this client.`,
      ),
    learns: (facts, { spec }) => {
      facts.putOff.add(secretsOf(spec));
    },
  },
  "throttled by all": {
    for: [
      "INT-13",
      "A target that throttles everything: more than one endpoint, or the one that issues tokens.",
    ],
    when: ({ request, facts }) =>
      (facts.throttling.size > 1 || facts.throttling.has("createToken")) &&
      request.wait > 0 &&
      request.at + request.wait - (facts.throttledSince ?? Infinity) > waits.throttledInARow,
    step: () => ({
      ...stop(
        `the target throttled every request for more than ${waits.throttledInARow / 1000} s. Lower --rate and --concurrency`,
      ),
      isLost: true,
    }),
  },
  "throttled too long": {
    for: [
      "INT-13",
      "Asks for a wait of more than 30 s, as one with a limit a day does at one endpoint.",
      "strangers-put-off",
    ],
    when: (s) =>
      isThrottled(s) && (isTooLong(s) || s.facts.throttlingTooLong.has(s.spec.operation)),
    step: (s) =>
      stop(
        `${title(s)} was throttled with ${s.status}` +
          (s.request.wait > waits.throttled
            ? ` and a wait of ${Math.round(s.request.wait / 1000)} s`
            : ` for more than ${waits.throttledInARow / 1000} s`) +
          `. Raise the server's limit for this client, or lower --rate and --concurrency.`,
      ),
    learns: (facts, { spec }) => {
      facts.throttlingTooLong.add(spec.operation);
    },
  },
  throttled: {
    for: [
      "INT-13",
      "Limits the rate, or failed attempts, with 429 or 503 and Retry-After.",
      "rate-10",
    ],
    when: isThrottled,
    step: ({ request, status }) => ({
      ...again,
      pause: request.wait,
      forAll: true,
      waiting: `${status} from the target, waiting ${Math.ceil(request.wait / 1000)} s`,
      observes: ["OPEN-27", request.response === undefined ? "" : throttlingText(request.response)],
    }),
    learns: (facts, { request }) => learnPause(facts, request.wait),
  },
  "gateway error": {
    for: [
      "INT-56",
      "Stands behind a gateway that answers 502, 503 or 504 now and then.",
      "bad-gateway-once",
      "unavailable-once",
      "gateway-timeout-once",
    ],
    when: (s) =>
      hasGatewayError(s) &&
      times(s, "gateway error") < (isKnown(s) ? 1 : waits.gatewayError.length),
    step: (s) => {
      const nth = times(s, "gateway error");
      return {
        ...(nth < waits.gatewayError.length - 1 ? again : alone),
        pause: waits.gatewayError[nth] ?? 0,
      };
    },
    ends: (facts, end) => {
      if (end.counts && end.sign === "gateway error")
        increase(facts.gatewayErrors, end.spec.operation);
      return passed(end, "gateway error", "that passed when the request was sent again");
    },
  },
  "known gateway error": {
    for: [
      "INT-56",
      "A faulty server that answers some requests with 502, 503 or 504: the first ones are examined.",
      "crash-batch-malformed",
    ],
    when: (s) => hasGatewayError(s) && isKnown(s),
    step: (s) =>
      stop(
        `${title(s)} answered with ${s.status}, as it did to ${enough} requests before (HTTP-04): fix that first`,
      ),
  },
  "gateway control": {
    for: [
      "INT-56",
      "A faulty server that answers one kind of request with 502, 503 or 504: it answers others.",
      "crash-batch-malformed",
    ],
    when: (s) => hasGatewayError(s) && hasControl(s) && times(s, "gateway error again") === 0,
    step: ofTarget,
  },
  "gateway burst": {
    for: [
      "INT-56",
      "Answers everything with 502, 503 or 504 for some seconds, while it is restarted.",
      "unavailable-in-bursts",
    ],
    when: (s) =>
      isOfGateway(s) &&
      isControlRefused(s) &&
      times(s, "gateway burst") < waits.gatewayBurst.length,
    step: (s) => ({ ...alone, pause: waits.gatewayBurst[times(s, "gateway burst")] ?? 0 }),
  },
  "gateway in trouble": {
    for: ["INT-56", "Answers everything with 502, 503 or 504 for longer than a run waits."],
    when: (s) => isOfGateway(s) && (isControlRefused(s) || (!isControlled(s) && !hasControl(s))),
    step: (s) => {
      const reason = stop(
        `the target answered everything with ${s.status} for a while, ${title(s)} too. Try again later`,
      );
      return s.facts.outages + 1 >= enough ? { ...reason, isLost: true } : reason;
    },
    learns: (facts) => {
      facts.outages += 1;
    },
  },
  "gateway error again": {
    for: ["INT-56", "Answers with 502, 503 or 504 for a moment that ends before the control."],
    when: (s) => isOfGateway(s) && isControlled(s),
    step: () => alone,
  },
  conflict: {
    for: [
      "INT-43",
      "Locks what was created for a moment with 409, 423 or 425.",
      "counterparty-locked-409",
      "counterparty-locked-425",
    ],
    when: (s) =>
      s.request.sign === "conflict" &&
      times(s, "conflict") < waits.conflict.length &&
      s.facts.conflicts < enough,
    step: (s) => ({ ...alone, pause: waits.conflict[times(s, "conflict")] ?? 0 }),
    ends: (facts, end) => {
      if (end.counts) facts.conflicts = end.sign === "conflict" ? facts.conflicts + 1 : 0;
      return passed(end, "conflict", "while another request was in flight");
    },
  },

  // Rows for a token or key that is refused.
  "older token": {
    for: ["INT-16", "Revokes older tokens when it issues a new one.", "token-one-alive"],
    when: (s) =>
      isTokenRefused(s) && s.request.token !== s.facts.token && times(s, "older token") < enough,
    step: () => again,
  },
  "refused anew": {
    for: [
      "INT-14",
      "Refuses invalid requests with 403: the first ones of each endpoint are examined.",
      "refusals-403",
    ],
    when: (s) =>
      isTokenRefused(s) &&
      s.status === 403 &&
      s.spec.intent.kind !== "valid" &&
      !isControlled(s) &&
      !s.facts.tokensLapse &&
      !mayBeLockedOut(s) &&
      (s.facts.refusedAnew.get(s.spec.operation) ?? 0) >= enough &&
      (!canAskList(s) || wasLatelyAccepted(s)),
    step: () => counts,
    learns: (facts) => {
      if (facts.accepted === undefined) return;
      const { token, uncontrolled } = facts.accepted;
      facts.accepted = { token, uncontrolled: uncontrolled + 1 };
    },
  },
  "token control": {
    for: [
      "INT-14",
      "Refuses invalid requests, customers or purposes with 401 or 403.",
      "customer-refused-403",
    ],
    when: (s) =>
      isTokenRefused(s) &&
      !isControlled(s) &&
      canAskList(s) &&
      (isAboutToken(s)
        ? times(s, "refused token") === 3 && mayBeLockedOut(s)
        : !s.facts.tokensLapse || times(s, "refused token") > 0),
    step: () => ofToken,
  },
  "not the token": {
    for: [
      "INT-14",
      "Refuses invalid requests, customers or purposes with 401 or 403.",
      "customer-refused-403",
    ],
    when: (s) => isTokenRefused(s) && isTokenGood(s) && !isAboutToken(s),
    step: () => counts,
    learns: (facts, { spec, status }) => {
      if (status === 403 && spec.intent.kind !== "valid")
        increase(facts.refusedAnew, spec.operation);
    },
  },
  "refused token": {
    for: [
      "INT-16",
      "Has tokens that are good for 5 s or 50 requests; two fresh ones prove a fault (INT-14).",
      "token-five-seconds",
      "token-fifty-requests",
    ],
    when: (s) => isTokenRefused(s) && times(s, "refused token") < (isAboutToken(s) ? 3 : 2),
    step: (s) => ({
      ...(times(s, "refused token") === 0 ? again : alone),
      newToken: true,
      observes: ["OPEN-19", `a token was refused with ${s.status}, and another was fetched`],
    }),
    ends: (facts, { spec, counts, status }) => {
      facts.tokensLapse ||= counts && status < 400;
      if (counts && status === 403) increase(facts.refusedAnew, spec.operation);
      return undefined;
    },
  },
  "lock-out": {
    for: [
      "INT-17",
      "Locks a client out after ten bad credentials, for up to 30 s.",
      "lock-out-401-long",
    ],
    when: (s) =>
      usesSession(s.spec) &&
      isOfLockOut(s.status) &&
      mayBeLockedOut(s) &&
      !isTokenGood(s) &&
      (isAboutToken(s) || isControlled(s) || asksForList(s.spec)) &&
      times(s, "lock-out") < waits.lockOut.length,
    step: (s) => ({ ...lockOut(s, "lock-out", `${s.status} to new tokens`), newToken: true }),
    learns: (facts, s) => learnLockOut(facts, s, "lock-out"),
    ends: learnAfterLockOut,
  },
  "locked out": {
    for: ["INT-17", "Locks a client out for longer than a run waits.", "lock-out-at-first"],
    when: (s) =>
      isAboutToken(s) && s.facts.hasTokenWorked && s.facts.badCredentials > 0 && !isTokenGood(s),
    step: (s) =>
      stop(
        `after bad credentials ${title(s)} refuses new tokens too (${words(s)}), as a lock-out does. Raise the server's limit of failed attempts for this client.`,
      ),
  },
  "fresh tokens refused": {
    for: ["INT-14", "A faulty server that refuses fresh tokens.", "token-never-accepted"],
    when: (s) => isAboutToken(s),
    step: (s) => ({ ...counts, judgements: [broken("AUTH-04", refusedToken(s))] }),
  },
  "key locked out": {
    for: [
      "INT-17",
      "Locks a client out after ten bad credentials, for up to 30 s.",
      "lock-out-423-of-keys",
    ],
    when: (s) =>
      s.spec === s.facts.tokenRequest &&
      isOfLockOut(s.status) &&
      mayBeLockedOut(s) &&
      times(s, "key locked out") < waits.lockOut.length,
    step: (s) => lockOut(s, "key locked out", "no token for a key that has worked"),
    learns: (facts, s) => learnLockOut(facts, s, "key locked out"),
    ends: learnAfterLockOut,
  },
  answered: { for: ["INT-12", "Every server."], when: () => true, step: () => counts },
} satisfies Record<string, SendingRow<Situation>>;

/**
 * What comes next, given what was tried for a request and what is known of the target. `isAlone`:
 * the request is sent alone from the beginning.
 */
export function stepAfter(
  { spec, isAlone = false }: { readonly spec: RequestSpec; readonly isAlone?: boolean },
  tried: readonly TriedAttempt[],
  facts: Readonly<SendingFacts>,
): ChosenStep {
  const last = tried.at(-1);
  if (last === undefined)
    return {
      row: { id: "first", ends: undefined },
      step: isAlone ? alone : again,
      learn: () => undefined,
    };
  const choice = choiceOf<Situation, Step>(rows, situationOf(spec, tried, last, facts));
  if (choice === undefined) throw new Error("no row applies");
  return choice;
}

import { takesToken } from "../../spec/operations.ts";
import { requirementOf } from "../../spec/catalogue.ts";
import { waits } from "../../model/bounds.ts";
import { usesSession, type RequestSpec } from "../../model/request.ts";
import { isSuccess } from "../../model/exchange.ts";
import { broken, newTokenRefused } from "../../model/mistake.ts";
import {
  counts,
  isExamined,
  stayed,
  stop,
  titleOf,
  wordsOf,
  type Again,
  type AttemptDoubts,
  type Observed,
  type Situation,
  type Step,
} from "./doubt.ts";
import { enough, noteWait, type SendingFacts } from "./facts.ts";
import { listRequest } from "./credentials.ts";

/** The server refuses good credentials. */
export const refusedToken = {
  /** Refuses tokens that it just issued: two fresh ones prove a fault (INT-14). */
  "refused token": {
    when: (s) => isAboutToken(s),
    known: { after: 0, step: (s) => (isLockOut(s) ? undefined : knownStep(s)) },
    again: (nth) => (nth < mostNewTokens ? { isAlone: nth > 0, newToken: true } : undefined),
    stays: {
      step: (s) => (isLockOut(s) ? undefined : verdictOnToken(s)),
      learns: (facts, s) => void (facts.refusesNew ||= !isAfterBad(s)),
    },
    passes: lapsed,
  },
  /** Has tokens that end, and answers with 403 or 404 then; a firewall refuses markup with 403 (INT-16). */
  "perhaps the token": {
    when: (s) =>
      usesSession(s.spec) && !isAboutToken(s) && (isUnauthorized(s) || isRefusedAsOlder(s)),
    of: () => "any request",
    known: {
      after: 0,
      is: (s, isExamined) =>
        isExamined && s.spec.intent.kind !== "valid" && !s.facts.tokensLapse && !isLockOut(s),
      step: () => counts,
    },
    // The same token shows whether the refusal is about the token. Where tokens end, a 401 says so.
    control: ({ request, facts, status }) =>
      request.token === facts.token && !(facts.tokensLapse && status === 401)
        ? listRequest
        : undefined,
    isNoBetter: (s) => !isControlAccepted(s) || s.last.token !== s.request.token,
    outage: (nth, s) =>
      nth < (isUnauthorized(s) ? 2 : 1) ? { isAlone: nth > 0, newToken: true } : undefined,
    down: {
      step: (s) => (isLockOut(s) ? undefined : counts),
      learns: (facts) => stayed(facts, "perhaps the token", "any request"),
    },
    stays: { step: () => counts },
    passes: lapsed,
  },
  /** Locks a client out after ten bad credentials, for up to 30 s (INT-17). */
  "lock-out": {
    when: isLockOut,
    control: ({ spec }) => (takesToken(spec.operation) && !isList(spec) ? listRequest : undefined),
    isNoBetter: (s) => !isControlAccepted(s),
    outage: untilUnlocked,
    down: {
      step: verdictOnToken,
      // A lock-out that turned out to be none must not count as one that was waited for in vain.
      learns: (facts, { spec }) => {
        const reason =
          facts.badCredentials > 0
            ? "the server refuses good credentials since bad ones were presented. Raise its limit of failed attempts for this client."
            : "the server refuses good credentials that it accepted before. Raise its limits for this client.";
        facts.lockedOut.set("key", reason).set("token", reason);
        stayed(facts, "locked out", spec.operation);
      },
    },
    stays: { step: verdictOnToken },
  },
} satisfies AttemptDoubts;

/** Whether the last attempt succeeded: then it is a control, as the request itself was refused. */
function isControlAccepted({ last: { response } }: Situation): boolean {
  return response !== undefined && isSuccess({ response });
}

function isUnauthorized({ status }: Situation): boolean {
  return status === 401 || status === 403;
}

/**
 * Whether the request was refused with another status while a newer token was issued. Where that
 * revokes older tokens, any 4xx can be about the token, except where one is stated for it (INT-16).
 * An invalid request that must be refused with a certain status has a control.
 */
function isRefusedAsOlder({ spec, facts, request, status }: Situation): boolean {
  const { operation, intent, refusal } = spec;
  const isOpen = refusal !== undefined && refusal.status === undefined && facts.tokensLapse;
  return (
    request.sign === undefined &&
    status >= 400 &&
    status < 500 &&
    operation !== "createOperation" &&
    request.token !== facts.token &&
    (intent.kind === "valid" || isOpen)
  );
}

/** Two fresh tokens in a row prove a fault (INT-14), after an older one. */
const mostNewTokens = 3;

function lapsed(facts: SendingFacts, s: Situation): Observed | undefined {
  // Another refusal may have passed for another reason.
  if (!isUnauthorized(s)) return undefined;
  facts.tokensLapse = true;
  return ["OPEN-19", `a token was refused with ${s.status}, and a newer one was accepted`];
}

function knownStep(s: Situation): Step {
  return stop(
    `${titleOf(s)} refuses tokens that were just issued, as it did ${enough} times before (AUTH-04): fix that first`,
  );
}

/** A change of the list, such as HEAD, may be refused for its own sake. */
function isList({ operation, intent }: RequestSpec): boolean {
  return operation === "listBatches" && intent.kind === "valid";
}

/** After this many refused tokens, a server may think that the client guesses tokens. */
const fewestRefusedTokens = 10;

/**
 * Whether the server may have locked out this client, as servers do after bad credentials or
 * expired tokens (INT-17), and firewalls for other reasons: good credentials are refused, or the key
 * is, although it has worked.
 */
export function isLockOut({ spec, facts, status }: Situation): boolean {
  const isOfKey = spec === facts.tokenRequest;
  return (
    (usesSession(spec) || isOfKey) &&
    [401, 403, 423].includes(status) &&
    facts.accepting.size > 0 &&
    facts.lockedOut.size === 0 &&
    !isExamined(facts, "locked out", spec.operation, 1) &&
    (isOfKey || mayBeOfTokens(spec, facts))
  );
}

/** Whether bad credentials, or refused tokens, may have led to a lock-out of good tokens. */
function mayBeOfTokens(spec: RequestSpec, facts: Situation["facts"]): boolean {
  const isAfterMany = facts.badCredentials > 0 || facts.refusedTokens >= fewestRefusedTokens;
  return isAfterMany && !isRefusedAnyway(spec, facts);
}

/**
 * Whether good tokens were refused before any bad one: new ones for a while, or any here, at the list,
 * with which it is compared, or at several operations, as a server refuses all tokens that are newer
 * than its first.
 */
function isRefusedAnyway(
  { operation }: RequestSpec,
  { refusesNew, refusing }: Situation["facts"],
): boolean {
  return (
    refusesNew ||
    refusing.size > 1 ||
    refusing.has(operation) ||
    refusing.has(listRequest.operation)
  );
}

/** How long a run waits for the end of a lock-out, in seconds. */
const longestLockOut = waits.lockOut.reduce((sum, pause) => sum + pause, 0) / 1000;

export function untilUnlocked(nth: number, { spec, status }: Situation): Again | undefined {
  const pause = waits.lockOut[nth];
  if (pause === undefined) return undefined;
  const isOfToken = usesSession(spec) && status > 0;
  const others = status > 0 ? "no token for a key that has worked" : "no response";
  const what = isOfToken ? `${status} to new tokens` : others;
  return {
    isAlone: true,
    ...(isOfToken && { newToken: true }),
    pause,
    waiting: `${what}, waiting ${pause / 1000} s (at most ${longestLockOut} s in all)`,
    learns: (facts) => {
      noteWait(facts, pause);
      facts.lockOutWaits += 1;
    },
  };
}

/** Whether the refusal is about the token. A valid request has no other reason for a 401. */
function isAboutToken({ spec, status }: Situation): boolean {
  return usesSession(spec) && status === 401 && spec.intent.kind === "valid";
}

/** Whether bad credentials may be why tokens are refused. */
function isAfterBad({ spec, facts }: Situation): boolean {
  return facts.accepting.size > 0 && facts.badCredentials > 0 && !isRefusedAnyway(spec, facts);
}

/** What a refusal shows that no new token and no wait changes. */
function verdictOnToken(s: Situation): Step {
  if (!isAboutToken(s)) return counts;
  if (isAfterBad(s) && !isControlAccepted(s))
    return stop(
      `after bad credentials ${titleOf(s)} refuses new tokens too (${wordsOf(s.request)}), as a lock-out does. Raise the server's limit of failed attempts for this client.`,
    );
  const violation = {
    message: `${titleOf(s)} refuses tokens that were just issued.`,
    expected: requirementOf("AUTH-04").statement,
    actual: `two fresh tokens in a row were answered with ${wordsOf(s.request)}`,
    mistake: newTokenRefused(s.status),
  };
  return { ...counts, judgements: [broken("AUTH-04", violation)] };
}

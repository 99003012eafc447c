import type { Exchange, RequestSpec } from "../model/exchange.ts";
import type { Judgement } from "../model/finding.ts";
import { createJudge } from "./judge.ts";
import type { Knowledge } from "./judging/checks/check.ts";
import { counterpartyNamedIn, pairKey } from "./judging/checks/listed.ts";
import { Inconclusive } from "./scenario-errors.ts";
import { createBlocks } from "./session/blocks.ts";
import { createCredentialFacts } from "./session/credential-facts.ts";
import { createIssue } from "./session/issue.ts";
import { createLockOutSigns } from "./session/lock-out-signs.ts";
import { createRenewed } from "./session/renewed.ts";
import { createSession, type Session } from "./session/session.ts";
import { createSharedLists } from "./session/shared-lists.ts";
import { unlessBusy } from "./session/token-examination.ts";
import { createAttempts, type AttemptParts } from "./transport/attempt.ts";
import { createAvailability, type AvailabilityParts } from "./transport/availability.ts";
import type { Sent } from "./transport/client.ts";
import { createUndisturbed } from "./transport/conflicts.ts";
import { createDirect } from "./transport/direct.ts";
import { createExamined } from "./transport/examination.ts";
import { createHangs } from "./transport/hangs.ts";
import { createRetried } from "./transport/gateway-errors.ts";
import type { Delivered, Send } from "./transport/send.ts";
import { createThrottled } from "./transport/throttled.ts";
import { presentsItsOwn, usesSession } from "./transport/http-request.ts";

/** Sends to the target, with all waits and retries that a server may demand, and judges each response. */
export interface Sender {
  /** The response after all waits and retries. Throws Inconclusive if there is none. */
  readonly send: Send<Exchange>;
  /** Sends while nothing else is in flight, with waits but neither with another token nor with an examination. */
  readonly sendAlone: Send<Exchange>;
  /**
   * Performs a task that sends several requests in a row while nothing else is in flight, without waits and retries. Each
   * throws Inconclusive if no response comes, the target throttles the request, or a gateway answers with an error.
   */
  readonly alone: <T>(task: (send: Send<Exchange>) => Promise<T>) => Promise<T>;
  /** The same, while no other request is in flight that creates operations, items or batches. */
  readonly undisturbed: <T>(task: (send: Send<Exchange>) => Promise<T>) => Promise<T>;
  /** Sends over plain HTTP to the host and port of the base URL. The outcome is not judged. */
  readonly sendPlain: (spec: RequestSpec) => Promise<Sent>;
  /** The request spec that led to an exchange. */
  readonly specOf: (exchange: Exchange) => RequestSpec | undefined;
  /** What the standing checks found wrong with an exchange. */
  readonly violationsOf: (exchange: Exchange) => readonly Judgement[];
  /** How often the run waited for the end of a block, while good credentials were refused too. */
  readonly waits: () => number;
  /** How many responses a lock-out could explain so far. */
  readonly lockOutSigns: () => number;
  readonly requests: () => number;
  readonly session: Session;
}

export interface SenderParts extends AttemptParts, AvailabilityParts {
  readonly knowledge: Knowledge;
}

/**
 * The chain from a request spec to a judged exchange. Read from the inside out, a request is
 * sent once (`attempt`) → in its turn, and examined where no whole response comes (`examined`) → sent again alone after
 * a conflict (`undisturbed`) → after a pause where the target throttles (`throttled`) → after a gateway's error
 * (`retried`) → judged and recorded (`judged`) → sent again with another token where this one lapsed (`renewed`) →
 * shared by all who wait for it, if it is a long list (`sharedLists`).
 */
export const createSender = (parts: SenderParts): Sender => {
  const { knowledge, recorder, rateLimiter, signal } = parts;
  const session = createSession(() => issue(), rateLimiter.hold);
  const facts = createCredentialFacts();
  const judge = createJudge({ ...parts, session });
  const judged =
    (next: Send<Delivered>): Send<Exchange> =>
    async (spec, origin) => {
      const exchange = await judge.judged(next)(spec, origin);
      facts.learn(exchange);
      return exchange;
    };

  const attempts = createAttempts(parts, session);
  const availability = createAvailability(parts, attempts, session);
  const hangs = createHangs(parts.settings.timeout);
  // The first request may use a new token up, although no response comes: then a second one is refused.
  const once = createDirect(attempts, availability, hangs);
  const again = createDirect(attempts, availability, hangs, { again: true });
  const examined = createExamined({ attempts, availability, rateLimiter, recorder, session, hangs });
  // Other requests wait for this token, so it goes first.
  const first = { ...rateLimiter, admit: rateLimiter.admitFirst };
  const examinedFirst = createExamined({ attempts, availability, rateLimiter: first, recorder, session, hangs });
  const undisturbed = createUndisturbed({ rateLimiter, recorder, direct: again });
  const throttled = createThrottled({ rateLimiter, recorder, signal });
  const retried = createRetried(signal);

  const signs = createLockOutSigns();
  const throttledAlone = createThrottled({ rateLimiter, recorder, signal, isAlone: true });
  const direct = judged(retried(throttledAlone(signs.watched(again))));
  const directUnlessBusy = judged(unlessBusy(signs.watched(once)));
  const withRetries = judged(retried(throttled(signs.watched(undisturbed(examined)))));
  const firstWithRetries = judged(retried(throttled(signs.watched(undisturbed(examinedFirst)))));
  const blocks = createBlocks({ recorder, signal, facts, direct });
  const issue = createIssue({ signal, facts, blocks, withRetries: firstWithRetries });
  const sharedLists = createSharedLists(facts);
  const renewed = sharedLists(
    createRenewed({
      recorder,
      rateLimiter,
      signal,
      session,
      facts,
      blocks,
      signs,
      withRetries,
      firstWithRetries,
      direct,
      directUnlessBusy,
    }),
  );

  return {
    session,
    specOf: judge.specOf,
    violationsOf: judge.violationsOf,
    waits: blocks.waits,
    lockOutSigns: signs.count,
    requests: attempts.requests,
    sendAlone: (spec, origin) => rateLimiter.alone(() => direct(spec, origin)),
    alone: (task) => rateLimiter.alone(() => task(directUnlessBusy)),
    undisturbed: (task) =>
      rateLimiter.withoutCreations(() =>
        task((spec, origin) => rateLimiter.admitFirst(() => directUnlessBusy(spec, origin))),
      ),
    sendPlain: (spec) => rateLimiter.admit(() => attempts.plain(spec)),
    send: async (spec, origin) => {
      if (signal.aborted) throw new Inconclusive("the run was stopped before this was sent");
      if (spec.operation === "createBatch" && spec.intent.kind === "invalid") {
        knowledge.identities.sentInvalidPair(pairKey(typeof spec.body === "function" ? undefined : spec.body));
      }
      if (spec.operation === "createOperation" && spec.intent.kind === "invalid") {
        const sent = spec.text ?? spec.body;
        const counterparty = counterpartyNamedIn(typeof sent === "function" ? undefined : sent);
        if (counterparty !== undefined) knowledge.identities.sentInvalidOperation(counterparty);
      }
      if (usesSession(spec)) return renewed(spec, origin);
      if (spec.operation === "createToken" && !presentsItsOwn(spec))
        return session.inOrder(() => firstWithRetries(spec, origin));
      return withRetries(spec, origin);
    },
  };
};

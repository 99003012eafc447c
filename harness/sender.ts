import type { Judgement, Knowledge } from "./judging/checks/check.ts";
import { pairKey } from "./judging/checks/listed.ts";
import { createCredentials } from "./session/credentials.ts";
import { createDelivery, type Delivered, type Delivery, type DeliveryParts } from "./transport/delivery.ts";
import type { RequestSpec, Exchange } from "../model/exchange.ts";
import type { Origin } from "./recording/recorder.ts";
import { createRetry } from "./transport/retry.ts";
import { createSession, type Session } from "./session/session.ts";
import { createJudge } from "./judging/judge.ts";
import { Inconclusive } from "./scenario-errors.ts";
import { usesSession } from "./transport/wire.ts";

/** Asks the target, with all the patience that the rulings grant it, and judges each response by the standing checks. */
export interface Sender {
  /** The response that counts. Throws Inconclusive where none is to be had. */
  readonly ask: (ask: RequestSpec, origin: Origin) => Promise<Exchange>;
  /** The response while nothing else is in flight, whatever it is: nothing is waited for. Throws Inconclusive without one. */
  readonly sendAlone: (ask: RequestSpec, origin: Origin) => Promise<Exchange>;
  /** The question that led to a response. */
  readonly specOf: (exchange: Exchange) => RequestSpec | undefined;
  /** What the standing checks found wrong with a response. */
  readonly violationsOf: (exchange: Exchange) => readonly Judgement[];
  /** How often a block was waited for, while good credentials were refused too. */
  readonly waits: () => number;
  readonly session: Session;
  readonly delivery: Delivery;
}

export interface SenderParts extends DeliveryParts {
  readonly knowledge: Knowledge;
}

export const createSender = (parts: SenderParts): Sender => {
  const { knowledge, rateLimiter, signal } = parts;
  const session = createSession(() => credentials.issue());
  const delivery = createDelivery(parts, session);
  const patience = createRetry({ ...parts, delivery });
  const settling = createJudge({ ...parts, session });

  const settle = (ask: RequestSpec, origin: Origin, delivered: Delivered): Exchange => {
    const exchange = settling.settle(ask, origin, delivered);
    credentials.learn(exchange);
    return exchange;
  };
  const patiently = async (ask: RequestSpec, origin: Origin): Promise<Exchange> =>
    settle(ask, origin, await patience(ask, origin));
  const credentials = createCredentials({ ...parts, session, delivery, settle, patiently });

  return {
    session,
    delivery,
    specOf: settling.specOf,
    violationsOf: settling.violationsOf,
    waits: credentials.waits,
    sendAlone: (ask, origin) => rateLimiter.alone(async () => settle(ask, origin, await delivery.direct(ask))),
    ask: async (ask, origin) => {
      if (signal.aborted) throw new Inconclusive("the run was stopped before this was asked");
      if (ask.operation === "createBatch" && ask.intent.kind === "invalid") {
        knowledge.identities.sentInvalidPair(pairKey(typeof ask.body === "function" ? undefined : ask.body));
      }
      if (usesSession(ask)) return credentials.signed(ask, origin);
      if (ask.operation === "createToken") return session.inOrder(() => patiently(ask, origin));
      return patiently(ask, origin);
    },
  };
};

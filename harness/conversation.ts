import type { Judgement, Knowledge } from "./checks/check.ts";
import { pairKey } from "./checks/listed.ts";
import { createCredentials } from "./credentials.ts";
import { createDelivery, type Delivered, type Delivery, type DeliveryParts } from "./delivery.ts";
import type { Ask, Exchange } from "./exchange.ts";
import type { Asker } from "./ledger.ts";
import { createPatience } from "./patience.ts";
import { createSession, type Session } from "./session.ts";
import { createSettling } from "./settling.ts";
import { Inconclusive } from "./verdicts.ts";
import { usesSession } from "./wire.ts";

/** Asks the target, with all the patience that the rulings grant it, and judges each answer by the standing checks. */
export interface Conversation {
  /** The answer that counts. Throws Inconclusive where none is to be had. */
  readonly ask: (ask: Ask, asker: Asker) => Promise<Exchange>;
  /** The answer while nothing else is in flight, whatever it is: nothing is waited for. Throws Inconclusive without one. */
  readonly askAlone: (ask: Ask, asker: Asker) => Promise<Exchange>;
  /** The question that led to an answer. */
  readonly askOf: (exchange: Exchange) => Ask | undefined;
  /** What the standing checks found wrong with an answer. */
  readonly violationsOf: (exchange: Exchange) => readonly Judgement[];
  /** How often a block was waited for, while good credentials were refused too. */
  readonly waits: () => number;
  readonly session: Session;
  readonly delivery: Delivery;
}

export interface ConversationParts extends DeliveryParts {
  readonly knowledge: Knowledge;
}

export const createConversation = (parts: ConversationParts): Conversation => {
  const { knowledge, pace, signal } = parts;
  const session = createSession(() => credentials.issue());
  const delivery = createDelivery(parts, session);
  const patience = createPatience({ ...parts, delivery });
  const settling = createSettling({ ...parts, session });

  const settle = (ask: Ask, asker: Asker, delivered: Delivered): Exchange => {
    const exchange = settling.settle(ask, asker, delivered);
    credentials.learn(exchange);
    return exchange;
  };
  const patiently = async (ask: Ask, asker: Asker): Promise<Exchange> => settle(ask, asker, await patience(ask, asker));
  const credentials = createCredentials({ ...parts, session, delivery, settle, patiently });

  return {
    session,
    delivery,
    askOf: settling.askOf,
    violationsOf: settling.violationsOf,
    waits: credentials.waits,
    askAlone: (ask, asker) => pace.alone(async () => settle(ask, asker, await delivery.direct(ask))),
    ask: async (ask, asker) => {
      if (signal.aborted) throw new Inconclusive("the run was stopped before this was asked");
      if (ask.operation === "createBatch" && ask.intent.kind === "invalid") {
        knowledge.identities.sentInvalidPair(pairKey(typeof ask.body === "function" ? undefined : ask.body));
      }
      if (usesSession(ask)) return credentials.signed(ask, asker);
      if (ask.operation === "createToken") return session.inOrder(() => patiently(ask, asker));
      return patiently(ask, asker);
    },
  };
};

import { pairKey } from "../../harness/judging/rules/listed.ts";
import { createIdentities, type Identities } from "../../harness/judging/identities.ts";
import type { Match } from "../addresses.ts";
import type { Watched } from "../watched.ts";
import { createFacts, type Facts } from "./facts.ts";
import type { Reading } from "./reading.ts";

/** What is known about one server besides the exchange that is judged. */
export interface Learnt {
  readonly reading: Reading;
  readonly facts: Facts;
  readonly identities: Identities;
  /** Learns from an exchange before it is judged. A whole recording is learnt before any of it is judged. */
  readonly learn: (watched: Watched, match: Match) => void;
}

/** `isComplete`: the exchanges have all their headers. */
export const createLearnt = (reading: Reading, isComplete = false): Learnt => {
  const facts = createFacts(isComplete);
  const identities = createIdentities();
  return {
    reading,
    facts,
    identities,
    learn: (watched, match) => {
      const { exchange } = reading(watched, match, facts, { id: 0, at: 0 });
      facts.learn(exchange, watched.startedAt);
      if (exchange.operation === "createBatch" && exchange.intent.kind === "invalid")
        identities.sentInvalidPair(pairKey(exchange.request.json));
    },
  };
};

import { pairKey } from "../../harness/judging/rules/listed.ts";
import { createIdentities } from "../../harness/judging/identities.ts";
import { createJudging, type Judging } from "../../harness/judging/judge-exchange.ts";
import type { ResponseSchemas } from "../../harness/judging/response-schemas.ts";
import type { Match } from "../addresses.ts";
import type { Watched } from "../watched.ts";
import { createFacts, type Facts } from "./facts.ts";
import type { Reading } from "./reading.ts";

/** What is known about one server besides the exchange that is judged. */
export interface Learnt {
  readonly reading: Reading;
  readonly facts: Facts;
  readonly rules: Judging;
  /** Learns from an exchange before it is judged. A whole recording is learnt before any of it is judged. */
  readonly learn: (watched: Watched, match: Match) => void;
}

/** Milliseconds within which most servers know everywhere what was created. */
const grace = 5000;

/** `isComplete`: the exchanges have all their headers. */
export const createLearnt = (reading: Reading, schemas: ResponseSchemas, isComplete = false): Learnt => {
  const facts = createFacts(isComplete);
  const identities = createIdentities();
  const rules = createJudging({ schemas, identities, grace });
  return {
    reading,
    facts,
    rules,
    learn: (watched, match) => {
      const { exchange } = reading(watched, match, facts);
      facts.learn(exchange);
      rules.learn(exchange);
      if (exchange.operation === "createBatch" && exchange.intent.kind === "invalid")
        identities.sentInvalidPair(pairKey(exchange.request.json));
    },
  };
};

import { remember, pairKey, createIdentities } from "../../harness/judging/identities.ts";
import { createJudging, type Judging } from "../../harness/judging/rules/index.ts";
import type { ResponseSchemas } from "../../harness/judging/response-schemas.ts";
import { fieldOf, isRefusal, wordsOf, type Exchange } from "../../model/exchange.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { Match } from "../addresses.ts";
import type { Watched } from "../watched.ts";
import { createPurposes } from "./purposes.ts";
import type { Facts, ReadExchange, Reading } from "./reading.ts";

/** What is known about one server besides the exchange that is judged. */
export interface Learnt extends Facts {
  readonly read: (watched: Watched, match: Match) => ReadExchange;
  readonly rules: Judging;
  /** Whether a valid request was refused with the same status and words; undefined if there was no valid request. */
  readonly refusesValidAlike: (exchange: Exchange) => boolean | undefined;
  /** Learns from an exchange before it is judged. A whole recording is learnt before any of it is judged. */
  readonly learn: (watched: Watched, match: Match) => void;
}

/** Milliseconds within which most servers know everywhere what was created. */
const grace = 5000;

/** `isComplete`: the exchanges have all their headers. */
export const createLearnt = (reading: Reading, schemas: ResponseSchemas, isComplete = false): Learnt => {
  const identities = createIdentities();
  const rules = createJudging({ schemas, identities, grace });
  const seen = { tokens: isComplete, keys: isComplete };
  const purposes = createPurposes();
  const refusals = new Map<string, true>();
  const answered = new Set<OperationName>();
  const refusalOf = (exchange: Exchange): string => `${exchange.operation} ${wordsOf(exchange)}`;
  const read: Learnt["read"] = (watched, match) => reading(watched, match, { seen, purposes });
  return {
    seen,
    purposes,
    read,
    rules,
    refusesValidAlike: (exchange) => (answered.has(exchange.operation) ? refusals.has(refusalOf(exchange)) : undefined),
    learn: (watched, match) => {
      const { exchange } = read(watched, match);
      rules.learn(exchange);
      const { operation, intent, request } = exchange;
      if (operation === "createBatch" && intent.kind === "invalid")
        identities.taint("batch of pair", pairKey(request.json));
      if (fieldOf(request.headers, "authorization") !== undefined) seen.tokens = true;
      if (fieldOf(request.headers, "x-api-key") !== undefined) seen.keys = true;
      if (exchange.exemptBy !== undefined) return;
      purposes.learn(exchange);
      if (intent.kind !== "valid") return;
      answered.add(operation);
      if (isRefusal(exchange)) remember(refusals, refusalOf(exchange), true);
    },
  };
};

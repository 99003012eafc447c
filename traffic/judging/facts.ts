import type { OperationName } from "../../spec/operations.ts";
import { fieldOf, isRefusal, wordsOf, type Exchange } from "../../model/exchange.ts";
import { remember } from "../../harness/judging/bounded.ts";
import type { CredentialsSeen } from "../requests/credential-rules.ts";
import { createPurposes, type Purposes } from "./purposes.ts";

/** What the traffic shows of the server, apart from what each exchange shows by itself. */
export interface Facts {
  readonly seen: CredentialsSeen;
  readonly learn: (exchange: Exchange) => void;
  readonly purposes: Pick<Purposes, "brokenBy">;
  /** Whether a valid request was refused with the same status and words; undefined if there was no valid request. */
  readonly refusesValidAlike: (exchange: Exchange) => boolean | undefined;
}

/** `isComplete`: the exchanges have all their headers. */
export const createFacts = (isComplete: boolean): Facts => {
  const seen = { tokens: isComplete, keys: isComplete };
  const purposes = createPurposes();
  const refusals = new Map<string, true>();
  const answered = new Set<OperationName>();

  return {
    seen,
    learn: (exchange) => {
      const { headers } = exchange.request;
      if (fieldOf(headers, "authorization") !== undefined) seen.tokens = true;
      if (fieldOf(headers, "x-api-key") !== undefined) seen.keys = true;
      if (exchange.exemptBy !== undefined) return;
      purposes.learn(exchange);
      if (exchange.intent.kind === "valid") answered.add(exchange.operation);
      if (isRefusal(exchange) && exchange.intent.kind === "valid")
        remember(refusals, `${exchange.operation} ${wordsOf(exchange)}`, true);
    },
    purposes,
    refusesValidAlike: (exchange) =>
      answered.has(exchange.operation) ? refusals.has(`${exchange.operation} ${wordsOf(exchange)}`) : undefined,
  };
};

import type { OperationName } from "../../spec/operations.ts";
import { isRefusal, isSuccess, memberOf, wordsOf, fieldOf, type Exchange } from "../../model/exchange.ts";
import { remember } from "../../harness/judging/bounded.ts";
import type { CredentialsSeen } from "../requests/credential-rules.ts";

/** An operation that the traffic created. */
export interface KnownOperation {
  /** The purpose as it was sent. */
  readonly purpose: string;
  /** Whether the response returned the purpose unchanged. */
  readonly isEchoed: boolean;
}

/** What the traffic shows of the server, apart from what each exchange shows by itself. */
export interface Facts {
  readonly seen: CredentialsSeen;
  readonly learn: (exchange: Exchange) => void;
  readonly operation: (id: string) => KnownOperation | undefined;
  /** Whether a valid request was refused with the same status and words; undefined if there was no valid request. */
  readonly refusesValidAlike: (exchange: Exchange) => boolean | undefined;
}

/** `isComplete`: the exchanges have all their headers. */
export const createFacts = (isComplete: boolean): Facts => {
  const seen = { tokens: isComplete, keys: isComplete };
  const operations = new Map<string, KnownOperation>();
  const refusals = new Map<string, true>();
  const answered = new Set<OperationName>();

  const learnOperation = ({ json, request }: Exchange): void => {
    const [id, purpose] = [memberOf(json, "operation_id"), memberOf(request.json, "operation_purpose")];
    if (typeof id === "string" && typeof purpose === "string")
      remember(operations, id, { purpose, isEchoed: memberOf(json, "operation_purpose") === purpose });
  };

  return {
    seen,
    learn: (exchange) => {
      const { headers } = exchange.request;
      if (fieldOf(headers, "authorization") !== undefined) seen.tokens = true;
      if (fieldOf(headers, "x-api-key") !== undefined) seen.keys = true;
      if (exchange.exemptBy !== undefined) return;
      if (exchange.operation === "createOperation" && isSuccess(exchange)) learnOperation(exchange);
      if (exchange.intent.kind === "valid") answered.add(exchange.operation);
      if (isRefusal(exchange) && exchange.intent.kind === "valid")
        remember(refusals, `${exchange.operation} ${wordsOf(exchange)}`, true);
    },
    operation: (id) => operations.get(id),
    refusesValidAlike: (exchange) =>
      answered.has(exchange.operation) ? refusals.has(`${exchange.operation} ${wordsOf(exchange)}`) : undefined,
  };
};

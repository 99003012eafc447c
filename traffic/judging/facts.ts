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

/** A batch that the traffic created. */
export interface KnownBatch {
  readonly id: string;
  /** Milliseconds since the epoch at which its creation had ended. */
  readonly createdAt: number;
}

/** What the traffic shows of the server, apart from what each exchange shows by itself. */
export interface Facts {
  readonly seen: CredentialsSeen;
  /** `startedAt`: when it was sent, in milliseconds since the epoch. */
  readonly learn: (exchange: Exchange, startedAt: number) => void;
  readonly operation: (id: string) => KnownOperation | undefined;
  /** Batches that were created between these milliseconds since the epoch. */
  readonly batchesOf: (from: number, to: number) => readonly KnownBatch[];
  /** Whether a valid request was refused with the same status and words. */
  readonly refusesValidAlike: (exchange: Exchange) => boolean;
}

/** The most batches of one second that are looked for in lists. */
const mostInSecond = 20;

/** `isComplete`: the exchanges have all their headers. */
export const createFacts = (isComplete: boolean): Facts => {
  const seen = { tokens: isComplete, keys: isComplete };
  const operations = new Map<string, KnownOperation>();
  const batches = new Map<string, number>();
  /** The batches again, by the second of their creation: each list looks at few of them. */
  const bySecond = new Map<number, readonly KnownBatch[]>();
  const refusals = new Map<string, true>();

  const learnSuccess = (exchange: Exchange, startedAt: number): void => {
    const { operation, request, response } = exchange;
    if (operation !== "createOperation" && operation !== "createBatch") return;
    const { json } = exchange;
    const id = memberOf(json, operation === "createOperation" ? "operation_id" : "id");
    if (typeof id !== "string") return;
    const purpose = memberOf(request.json, "operation_purpose");
    if (operation === "createOperation" && typeof purpose === "string")
      remember(operations, id, { purpose, isEchoed: memberOf(json, "operation_purpose") === purpose });
    if (operation !== "createBatch" || batches.has(id)) return;
    const createdAt = startedAt + response.took;
    remember(batches, id, createdAt);
    const second = Math.floor(createdAt / 1000);
    remember(bySecond, second, [...(bySecond.get(second) ?? []), { id, createdAt }].slice(-mostInSecond));
  };

  return {
    seen,
    learn: (exchange, startedAt) => {
      const { headers } = exchange.request;
      if (fieldOf(headers, "authorization") !== undefined) seen.tokens = true;
      if (fieldOf(headers, "x-api-key") !== undefined) seen.keys = true;
      if (exchange.exemptBy !== undefined) return;
      if (isSuccess(exchange)) learnSuccess(exchange, startedAt);
      if (isRefusal(exchange) && exchange.intent.kind === "valid")
        remember(refusals, `${exchange.operation} ${wordsOf(exchange)}`, true);
    },
    operation: (id) => operations.get(id),
    batchesOf: (from, to) => {
      const found: KnownBatch[] = [];
      for (let second = Math.floor(from / 1000); second <= to / 1000; second += 1) {
        for (const batch of bySecond.get(second) ?? [])
          if (batch.createdAt >= from && batch.createdAt <= to) found.push(batch);
      }
      return found;
    },
    refusesValidAlike: (exchange) => refusals.has(`${exchange.operation} ${wordsOf(exchange)}`),
  };
};

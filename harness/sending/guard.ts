import { operations, operationTitle } from "../../spec/operations.ts";
import type { RequestSpec } from "../../model/request.ts";
import { isBadCredential } from "./attempt.ts";
import { enough, kindOf, limitOf, type SendingFacts } from "./facts.ts";

/** A request that is about to be sent. */
export interface Departure {
  readonly spec: RequestSpec;
  readonly facts: Readonly<SendingFacts>;
  /** Nothing was sent for the request yet. */
  readonly isFirst: boolean;
  /**
   * The request would be sent later than a run may send requests, in milliseconds (INT-50).
   * Undefined: it is not late.
   */
  readonly lateAfter?: number | undefined;
  /** When it would be sent, in milliseconds since the run started. */
  readonly at: number;
}

/** Why a request is not sent at all. Undefined: it is sent. */
export function heldBack({ spec, facts, isFirst, lateAfter, at }: Departure): string | undefined {
  if (facts.lost !== undefined) return facts.lost;
  // Each request that is never answered costs a time-out (INT-04). The first one about a requirement
  // is sent all the same, because it may get a response.
  const isNew = spec.refusal !== undefined && !facts.asked.has(spec.refusal.requirement);
  if (isFirst && facts.hangs && !isNew && (facts.timeouts.get(kindOf(spec))?.count ?? 0) >= enough)
    return `not sent: ${operationTitle(spec.operation)} gave no response to ${enough} requests of this kind in a row (HTTP-05): fix that first`;
  // What an operation asks of good requests binds bad credentials, too.
  const bars = [spec.operation, limitOf(spec)].map((limit) => facts.barred.get(limit));
  const bar = bars.find((one) => one !== undefined && at < one.until);
  if (bar !== undefined) return `not sent: ${bar.reason}`;
  const lockedOut = facts.lockedOut.get(operations[spec.operation].credential);
  if (isBadCredential(spec) && lockedOut !== undefined) return `not sent: ${lockedOut}`;
  if (lateAfter === undefined) return undefined;
  const cause =
    facts.waitedForBadCredentials > 0
      ? "The server limits how many requests it takes from a client, or locks clients out after bad credentials: raise these limits for this client, or --max-time."
      : "Raise it, or find out what keeps the run waiting: limits, errors that pass, or requests without a response.";
  return `not sent: a run starts no request after ${Math.round(lateAfter / 1000)} s (--max-time). ${cause}`;
}

import { operationTitle } from "../../spec/operations.ts";
import { isSuccess, jsonOf, messageOf } from "../../model/exchange.ts";
import { valid, type RequestSpec } from "../../model/request.ts";
import { isGatewayError, type Sign } from "./attempt.ts";
import { type Doubts, requestIn, type Again, type StopStep, type TriedAttempt } from "./doubt.ts";
import type { SendingFacts } from "./facts.ts";
import { listRequest } from "./session.ts";

/** What the doubts about attempts look at. */
export interface Situation {
  readonly spec: RequestSpec;
  readonly facts: Readonly<SendingFacts>;
  readonly history: readonly TriedAttempt[];
  /** The last attempt, of the request itself or of a control. */
  readonly last: TriedAttempt;
  /** The last attempt of the request itself. */
  readonly request: TriedAttempt;
  /** The status of that attempt. 0 if there was no response. */
  readonly status: number;
}

/** A table of doubts about attempts. */
export type AttemptDoubts = Doubts<Situation>;

export function situationOf(
  spec: RequestSpec,
  history: readonly TriedAttempt[],
  last: TriedAttempt,
  facts: Readonly<SendingFacts>,
): Situation {
  const request = requestIn(history) ?? last;
  return { spec, facts, history, last, request, status: request.response?.status ?? 0 };
}

/** Whether the last attempt of the request has this sign. */
export function hasSign(sign: Sign) {
  return ({ request }: Situation): boolean => request.sign === sign;
}

export function titleOf({ spec }: Pick<Situation, "spec">): string {
  return operationTitle(spec.operation);
}

/** What an attempt came to, in words for a reason. */
export function wordsOf({ response, failure }: TriedAttempt): string {
  return response === undefined
    ? (failure?.message ?? "")
    : messageOf({ response, json: jsonOf(response) });
}

/** A request for a token or, if that is the request itself, for the list: does the target respond? */
export function ofTarget({ spec, facts }: Situation): RequestSpec | undefined {
  if (spec.operation !== "createToken") return { operation: "createToken", intent: valid };
  return facts.token === undefined ? undefined : listRequest;
}

/** Whether the control got no response either, or one of a gateway. */
export function isUnanswered({ last: { response } }: Situation): boolean {
  return response === undefined || isGatewayError(response.status);
}

/** Whether the last attempt is a control that succeeded. */
export function isControlAccepted({ last: { isControl, response } }: Situation): boolean {
  return isControl && response !== undefined && isSuccess({ response });
}

/** Sends the request again after the nth of these pauses. Undefined after the last one. */
export function paused(pauses: readonly number[], nth: number, isAlone = true): Again | undefined {
  const pause = pauses[nth];
  return pause === undefined ? undefined : { isAlone, pause };
}

export const counts = { kind: "counts" } as const;

export function stop(reason: string): StopStep {
  return { kind: "stop", reason };
}

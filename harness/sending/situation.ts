import { operationTitle } from "../../spec/operations.ts";
import { waits } from "../../model/bounds.ts";
import { isSuccess, jsonOf, messageOf } from "../../model/exchange.ts";
import { type RequestSpec, usesSession } from "../../model/request.ts";
import { isGatewayError } from "./attempt.ts";
import { enough, type SendingFacts } from "./facts.ts";
import { requestIn, type TriedAttempt } from "./step.ts";

/** What the rows look at: a request, the attempts for it, and what is known of the target. */
export function situationOf(
  spec: RequestSpec,
  tried: readonly TriedAttempt[],
  last: TriedAttempt,
  facts: Readonly<SendingFacts>,
) {
  const request = requestIn(tried) ?? last;
  /** `request`: the last attempt of the request itself. `status`: 0 if there was no response. */
  return { spec, facts, tried, last, request, status: request.response?.status ?? 0 };
}

export type Situation = ReturnType<typeof situationOf>;

export function times({ tried }: Situation, row: string): number {
  return tried.filter((one) => one.row.id === row).length;
}

export const isMissing = ({ request }: Situation): boolean => request.sign === "silence";
export const isCut = ({ request }: Situation): boolean => request.sign === "cut";
export const isUnread = (s: Situation): boolean => isMissing(s) || isCut(s);
export const isTimeout = ({ request }: Situation): boolean => request.failure?.kind === "timeout";
export const isAlone = ({ request }: Situation): boolean => request.isAlone;
export const isControlled = ({ last }: Situation): boolean => last.isControl;

/**
 * Whether another request can be sent as a control. Without a token, only a request for a token
 * can, which is no control for itself.
 */
export function hasControl({ spec, facts }: Situation): boolean {
  return spec.operation !== "createToken" || facts.token !== undefined;
}

export const isOfGateway = ({ request }: Situation): boolean => request.sign === "gateway error";
/** Whether the last attempt of the request, with no control since, got 502, 503 or 504. */
export const hasGatewayError = (s: Situation): boolean => isOfGateway(s) && !isControlled(s);
/** Whether enough gateway errors of the operation have been examined. */
export function isKnown({ facts, spec }: Situation): boolean {
  return (facts.gatewayErrors.get(spec.operation) ?? 0) >= enough;
}
/** Whether the last attempt is a control that got 502, 503 or 504 as well. */
export function isControlRefused({ last }: Situation): boolean {
  return last.isControl && isGatewayError(last.response?.status ?? 0);
}

export const isThrottled = ({ request }: Situation): boolean => request.sign === "throttling";
/**
 * Whether the target asks for a longer wait than a run allows, in one response or in all so far
 * (INT-13).
 */
export function isTooLong({ tried, request }: Situation): boolean {
  return (
    request.wait > waits.throttled ||
    tried.reduce((sum, { wait }) => sum + wait, 0) > waits.throttledInARow
  );
}
export function secretsOf({ operation }: RequestSpec): "keys" | "tokens" {
  return operation === "createToken" ? "keys" : "tokens";
}

/** The longest list, in bytes, that serves as a control. A control is sent often. */
const longestControl = 100_000;
/** After this many refused tokens, a server may think that the client guesses tokens. */
const fewestRefusedTokens = 10;

export function isTokenRefused({ spec, status }: Situation): boolean {
  return usesSession(spec) && (status === 401 || status === 403);
}
/** Whether the refusal is about the token. A valid request has no other reason for a 401. */
export function isAboutToken(s: Situation): boolean {
  return isTokenRefused(s) && s.status === 401 && s.spec.intent.kind === "valid";
}
/** Whether a request for the list can tell if a token is good. */
export function canAskList({ spec, facts }: Situation): boolean {
  return (
    facts.hasTokenWorked && (facts.listLength ?? Infinity) <= longestControl && !asksForList(spec)
  );
}
/**
 * Whether a request asks for the list as the specification shows it. A change of it, such as HEAD,
 * may be refused for its own sake.
 */
export function asksForList({ operation, intent }: RequestSpec): boolean {
  return operation === "listBatches" && intent.kind === "valid";
}
/** Whether the control was accepted with the token of the request. */
export function isTokenGood({ last, request }: Situation): boolean {
  return (
    last.response !== undefined &&
    isSuccess({ response: last.response }) &&
    last.token === request.token
  );
}
/** After this many refusals without a control, a valid request has to show that a token is good. */
const mostUncontrolled = 10;
/**
 * Whether a valid request was accepted with the token of the request, and few refusals have counted
 * without a control since then.
 */
export function wasLatelyAccepted({ facts: { accepted }, request }: Situation): boolean {
  return (
    accepted !== undefined &&
    accepted.token === request.token &&
    accepted.uncontrolled < mostUncontrolled
  );
}
/** Whether a status is one that servers send to a client that they have locked out. */
export const isOfLockOut = (status: number): boolean => [401, 403, 423].includes(status);
/**
 * Whether the server may have locked out this client, as servers do after bad credentials or
 * expired tokens (INT-17).
 */
export function mayBeLockedOut({ facts, spec }: Situation): boolean {
  return (
    facts.hasTokenWorked &&
    !facts.isLockedOut &&
    !facts.refusing.has(spec.operation) &&
    (facts.badCredentials > 0 || facts.refusedTokens >= fewestRefusedTokens)
  );
}

export const title = ({ spec }: Pick<Situation, "spec">): string => operationTitle(spec.operation);
export function words({ request }: Pick<Situation, "request">): string {
  const response = request.response;
  return response === undefined
    ? (request.failure?.message ?? "")
    : messageOf({ response, json: jsonOf(response) });
}
export const seconds = ({ at }: TriedAttempt): number => Math.round(at / 1000);
export const noResponse = (s: Situation): string => `${title(s)} gave no response: ${words(s)}`;

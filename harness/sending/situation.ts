import { operationTitle } from "../../spec/operations.ts";
import { waits } from "../../model/bounds.ts";
import { isSuccess, jsonOf, messageOf } from "../../model/exchange.ts";
import { type RequestSpec, usesSession } from "../../model/request.ts";
import { isGatewayError } from "./attempt.ts";
import { enough, type SendingFacts } from "./facts.ts";
import { requestIn, type Tried } from "./step.ts";

/** What the rows look at: a request, what was tried for it, and what is known of the target. */
export function situationOf(
  spec: RequestSpec,
  tried: readonly Tried[],
  last: Tried,
  facts: Readonly<SendingFacts>,
) {
  const request = requestIn(tried) ?? last;
  /** `request`: its last attempt. `status`: 0 if there was no response. */
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
 * Whether something else than the request itself can be asked: without a token, the token endpoint
 * alone.
 */
export function hasControl({ spec, facts }: Situation): boolean {
  return spec.operation !== "createToken" || facts.token !== undefined;
}

export const isOfGateway = ({ request }: Situation): boolean => request.sign === "gateway error";
/**
 * The last attempt of the request, and no control since then, was answered with 502, 503 or 504.
 */
export const hasGatewayError = (s: Situation): boolean => isOfGateway(s) && !isControlled(s);
/** Enough of its gateway errors were examined. */
export function isKnown({ facts, spec }: Situation): boolean {
  return (facts.gatewayErrors.get(spec.operation) ?? 0) >= enough;
}
/** The control got a gateway error too. */
export function isControlRefused({ last }: Situation): boolean {
  return last.isControl && isGatewayError(last.response?.status ?? 0);
}

export const isThrottled = ({ request }: Situation): boolean => request.sign === "throttling";
/** Whether a target asks for a longer wait, at once or in a row, than a run waits (INT-13). */
export function isTooLong({ tried, request }: Situation): boolean {
  return (
    request.wait > waits.throttled ||
    tried.reduce((sum, { wait }) => sum + wait, 0) > waits.throttledInARow
  );
}
export function secretsOf({ operation }: RequestSpec): "keys" | "tokens" {
  return operation === "createToken" ? "keys" : "tokens";
}

/** The longest list, in bytes, that serves as a control: it is fetched often. */
const longestControl = 100_000;
/** Refusals of tokens after which a server may think that somebody guesses them. */
const fewestRefusedTokens = 10;

export function isTokenRefused({ spec, status }: Situation): boolean {
  return usesSession(spec) && (status === 401 || status === 403);
}
/** A valid request that gets 401 has no other reason than its token. */
export function isAboutToken(s: Situation): boolean {
  return isTokenRefused(s) && s.status === 401 && s.spec.intent.kind === "valid";
}
/** Whether the list tells if a token is good. */
export function canAskList({ spec, facts }: Situation): boolean {
  return (
    facts.hasTokenWorked &&
    (facts.listLength ?? Infinity) <= longestControl &&
    spec.operation !== "listBatches"
  );
}
/** Whether the control was accepted with the token of the request. */
export function isTokenGood({ last, request }: Situation): boolean {
  return (
    last.response !== undefined &&
    isSuccess({ response: last.response }) &&
    last.token === request.token
  );
}
/** Servers lock out clients that present bad credentials, or lapsed tokens (INT-17). */
export function mayBeLockedOut({ facts, spec }: Situation): boolean {
  return (
    facts.hasTokenWorked &&
    !facts.isLockedOut &&
    !facts.refusing.has(spec.operation) &&
    (facts.badCredentials > 0 || facts.refusedTokens >= fewestRefusedTokens)
  );
}

export const title = ({ spec }: Pick<Situation, "spec">): string => operationTitle(spec.operation);
export function words({ request }: Situation): string {
  const response = request.response;
  return response === undefined
    ? (request.failure?.message ?? "")
    : messageOf({ response, json: jsonOf(response) });
}
export const seconds = ({ at }: Tried): number => Math.round(at / 1000);
export const noResponse = (s: Situation): string => `${title(s)} gave no response: ${words(s)}`;

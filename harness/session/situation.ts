import { isSuccess, type Exchange, type RequestSpec } from "../../model/exchange.ts";
import type { Attempt } from "../transport/attempt.ts";
import { usesSession } from "../transport/http-request.ts";
import { longestWait, longestWaits } from "../transport/throttling.ts";
import type { Facts } from "./facts.ts";

/** An attempt of a request, or of a control for it, and the row of the table that led to it. */
export type Tried = Attempt & {
  readonly row: string;
  readonly isControl: boolean;
  /** Absent if the attempt only put the request off. */
  readonly exchange?: Exchange | undefined;
};

/** The last attempt of the request itself. */
export const requestIn = (tried: readonly Tried[]): Tried | undefined => tried.findLast(({ isControl }) => !isControl);

/** What the rows of the table look at: a request, what was tried for it, and what is known of the target. */
export interface Situation {
  readonly spec: RequestSpec;
  readonly facts: Readonly<Facts>;
  readonly tried: readonly Tried[];
  readonly last: Tried | undefined;
  /** The last attempt of the request itself, and its status; 0 if there was no response. */
  readonly request: Tried | undefined;
  readonly status: number;
}

export const situationOf = (spec: RequestSpec, tried: readonly Tried[], facts: Readonly<Facts>): Situation => {
  const request = requestIn(tried);
  return { spec, facts, tried, last: tried.at(-1), request, status: request?.response?.status ?? 0 };
};

/** How often a row led to an attempt. */
export const times = ({ tried }: Situation, row: string): number => tried.filter((one) => one.row === row).length;

export const isMissing = ({ request }: Situation): boolean => request !== undefined && request.response === undefined;
export const isCut = ({ request }: Situation): boolean => request?.response?.defect?.kind === "cut";
export const isTimeout = ({ request }: Situation): boolean => request?.failure?.kind === "timeout";
export const isAlone = ({ request }: Situation): boolean => request?.isAlone === true;
export const isControlled = ({ last }: Situation): boolean => last?.isControl === true;

/** Whether something else than the request itself can be asked: without a token, the token endpoint alone. */
export const hasControl = ({ spec, facts }: Situation): boolean =>
  spec.operation !== "createToken" || facts.token !== undefined;

export const isThrottled = ({ request }: Situation): boolean => (request?.wait ?? 0) > 0;
/** Whether a target asks for a longer wait, at once or in a row, than a run waits (INT-13). */
export const isTooLong = ({ tried, request }: Situation): boolean =>
  (request?.wait ?? 0) > longestWait || tried.reduce((sum, { wait }) => sum + wait, 0) > longestWaits;
export const secretsOf = ({ operation }: RequestSpec): "keys" | "tokens" =>
  operation === "createToken" ? "keys" : "tokens";

/** 409 Conflict, 423 Locked, 425 Too Early. */
export const isConflict = (status: number): boolean => [409, 423, 425].includes(status);
/** 502 Bad Gateway, 503 Service Unavailable, 504 Gateway Timeout. */
export const isGatewayError = (status: number): boolean => [502, 503, 504].includes(status);

/** Whether there is no response yet that counts: the request will probably be sent again, or was not read in full. */
export const putsOff = (attempt: Attempt): attempt is Attempt & { readonly response?: undefined } => {
  const { response, wait, isFresh } = attempt;
  if (response === undefined || wait > 0 || response.defect?.kind === "cut") return true;
  return isGatewayError(response.status) || isConflict(response.status) || (response.status === 408 && !isFresh);
};

/** The longest list, in bytes, that serves as a control: it is fetched often. */
const longestControl = 100_000;
/** Refusals of tokens after which a server may think that somebody guesses them. */
const fewestRefusedTokens = 10;

export const isTokenRefused = ({ spec, status }: Situation): boolean =>
  usesSession(spec) && (status === 401 || status === 403);
/** A valid request that gets 401 has no other reason than its token. */
export const isAboutToken = (s: Situation): boolean =>
  isTokenRefused(s) && s.status === 401 && s.spec.intent.kind === "valid";
/** Whether the list tells if a token is good. */
export const canAskList = ({ spec, facts }: Situation): boolean =>
  facts.hasTokenWorked && (facts.listLength ?? Infinity) <= longestControl && spec.operation !== "listBatches";
/** Whether the control was accepted with the token of the request. */
export const isTokenGood = ({ last, request }: Situation): boolean =>
  last?.isControl === true &&
  last.response !== undefined &&
  isSuccess({ response: last.response }) &&
  last.token === request?.token;
/** Servers lock out clients that present bad credentials, or lapsed tokens (INT-17). */
export const mayBeLockedOut = ({ facts, spec }: Situation): boolean =>
  facts.hasTokenWorked &&
  !facts.isLockedOut &&
  !facts.refusing.has(spec.operation) &&
  (facts.badCredentials > 0 || facts.refusedTokens >= fewestRefusedTokens);

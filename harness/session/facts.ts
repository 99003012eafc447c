import type { RequestSpec } from "../../model/exchange.ts";
import type { RunSettings } from "../../model/target.ts";
import type { OperationName } from "../../spec/operations.ts";

/** What sending has shown of the target so far. `learn` and `note` write it, `decide` reads it. */
export interface Facts {
  token?: string;
  /** The form of the token request that this server accepts. */
  tokenRequest?: RequestSpec;
  /** The API key was accepted: a refusal may be temporary. */
  hasKeyWorked: boolean;
  /** A request with a token of the session was accepted. */
  hasTokenWorked: boolean;
  /** A new token was accepted where an older one was refused: the next refusal probably is about the token too. */
  tokensLapse: boolean;
  /** Bytes of the list in its last successful response. */
  listLength?: number;
  /** Requests with bad credentials, and refusals of the session's tokens: servers lock out clients for either. */
  badCredentials: number;
  refusedTokens: number;
  /** Responses that a lock-out after bad credentials could explain (INT-17), and waits for the end of one. */
  lockOutSigns: number;
  lockOutWaits: number;
  /** A lock-out lasted longer than a run waits. */
  isLockedOut: boolean;
  /** Operations that refused good tokens for as long, and accepted none since, whatever others accepted. */
  readonly refusing: Set<OperationName>;
  /** Bad keys or bad tokens that are throttled longer than a run waits. */
  readonly putOff: Set<"keys" | "tokens">;
  /** Conflicts in a row that stayed when the request was sent again. */
  conflicts: number;
  /** How often a gateway's error stayed, no response came, and responses were cut, after everything was tried. */
  readonly gatewayErrors: Map<OperationName, number>;
  readonly silences: Map<OperationName, number>;
  readonly cuts: Map<OperationName, number>;
  /** The target left a request without a response until the time-out, alone and while it answered another one. */
  hangs: boolean;
  /** Time-outs in a row for requests of a kind. */
  readonly timeouts: Map<string, number>;
  /** Milliseconds of the latest responses. */
  recent: readonly number[];
  /** Since when all responses throttle, in milliseconds since the run started. */
  throttledSince?: number | undefined;
  lost?: string;
  /** Requests in a row to which the target responded as little as to another one. */
  troubles: number;
  readonly timeout: number;
}

export const noFacts = ({ timeout }: Pick<RunSettings, "timeout">): Facts => ({
  hasKeyWorked: false,
  hasTokenWorked: false,
  tokensLapse: false,
  badCredentials: 0,
  refusedTokens: 0,
  lockOutSigns: 0,
  lockOutWaits: 0,
  isLockedOut: false,
  refusing: new Set(),
  putOff: new Set(),
  conflicts: 0,
  gatewayErrors: new Map(),
  silences: new Map(),
  cuts: new Map(),
  hangs: false,
  timeouts: new Map(),
  recent: [],
  troubles: 0,
  timeout,
});

/** Requests that a server may treat alike: it never answers one of them, so probably none. */
export const kindOf = ({ operation, intent, authorization, apiKey }: RequestSpec): string =>
  `${operation} ${intent.kind} ${authorization === undefined && apiKey === undefined}`;

/** After a hang, a response may take `slower` times as long as the slowest before, but at least `shortest` ms. */
const slower = 3;
const shortest = 500;

/** Milliseconds to wait for a response: the time-out of the settings, less after a hang. */
export const timeoutOf = ({ hangs, recent, timeout }: Facts): number =>
  hangs ? Math.min(timeout, Math.max(shortest, Math.round(Math.max(0, ...recent) * slower))) : timeout;

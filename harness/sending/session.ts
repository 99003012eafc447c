import { isRefusal, isSuccess, messageOf } from "../../model/exchange.ts";
import { unusual, valid, type RequestSpec } from "../../model/request.ts";
import { issuedToken } from "../../model/token.ts";
import { longestToken } from "../../model/exchange.ts";
import type { Exchange, Origin } from "../../model/exchange.ts";
import { Inconclusive } from "../errors.ts";
import type { SendingFacts } from "./facts.ts";
import type { Turn } from "./turns.ts";
import { resultOf } from "./waiting.ts";

/** After this many refusals in a row, the key is not tried again. */
const mostRefusals = 3;

interface SessionParts {
  readonly facts: SendingFacts;
  /** Sends a request for a token within a turn. */
  readonly send: (spec: RequestSpec, turn: Turn) => Promise<Exchange>;
  /** The turn for callers that have none. */
  readonly shared: Turn;
  readonly signal: AbortSignal;
}

export type Session = ReturnType<typeof createSession>;

/** Keeps the token in use, and gets the next one (INT-16). */
export function createSession({ facts, send, shared, signal }: SessionParts) {
  let refusals = 0;
  let reason = "";
  let renewal: Promise<string> | undefined;

  const issue = async (turn: Turn): Promise<string> => {
    for (const spec of facts.tokenRequest === undefined ? tokenRequests : [facts.tokenRequest]) {
      const exchange = await send(spec, turn);
      const token = issuedToken(exchange.json)?.token;
      if (isSuccess(exchange) && token !== undefined) {
        if (token.length > longestToken)
          throw new Inconclusive(
            `POST /auth/token gave a token of ${token.length} characters, which no header can carry`,
            undefined,
            "createToken",
          );
        facts.tokenRequest = spec;
        return token;
      }
      if (spec === tokenRequests[0] || facts.tokenRequest !== undefined)
        reason = facts.tokenRequest
          ? `POST /auth/token refuses a key that has worked: ${messageOf(exchange)}. Does a limit or a firewall lock this client out?`
          : `POST /auth/token gave no usable token: ${messageOf(exchange)}. Is the API key right?`;
      if (!isRefusal(exchange)) break;
    }
    refusals += 1;
    throw new Inconclusive(reason, undefined, "createToken");
  };

  const issued = async (turn: Turn): Promise<string> => {
    if (refusals >= mostRefusals) throw new Inconclusive(reason, undefined, "createToken");
    const token = await issue(turn);
    // A token that the server hands out again is no failed attempt of the client.
    if (token === facts.token) facts.refusedTokens = 0;
    facts.token = token;
    refusals = 0;
    return token;
  };

  const fetched = async (unwanted: string | undefined, turn: Turn): Promise<string> =>
    facts.token !== undefined && facts.token !== unwanted ? facts.token : issued(turn);

  const fetchedAlone = async (unwanted: string | undefined): Promise<string> => {
    const turn = await shared.exclusive();
    return fetched(unwanted, turn).finally(turn.end);
  };

  /**
   * Gets a token other than the refused one. A caller with an exclusive turn never waits for the
   * renewal of another caller.
   */
  const renew = (refused: string | undefined, turn: Turn): Promise<string> => {
    const isOlder = facts.token !== undefined && facts.token !== refused;
    if (turn.isExclusive || isOlder) return fetched(refused, turn);
    renewal ??= fetchedAlone(refused).finally(() => (renewal = undefined));
    return resultOf("a new token", signal, renewal);
  };

  return {
    /**
     * The token in use. If there is none yet, a new one is fetched. Throws Inconclusive if the
     * server issues none.
     */
    token: (turn = shared): Promise<string> =>
      facts.token === undefined ? renew(undefined, turn) : Promise.resolve(facts.token),
    current: (): string | undefined => facts.token,
    renew,
    /**
     * Gets a new token, which shows that the API key is accepted. Other requests go on meanwhile,
     * unless this target ends older tokens when it issues a new one: it would refuse these
     * requests.
     */
    proveKey: (): Promise<string> =>
      facts.tokensLapse ? renew(facts.token, shared) : issued(shared),
    /** Waits for a renewal in progress, unless that renewal waits for this turn to end. */
    settled: async (turn: Turn): Promise<void> => {
      if (turn.isExclusive || renewal === undefined) return;
      await resultOf("a new token", signal, renewal).catch(() => undefined);
    },
    /** Starts with the token that the preflight got for the key, and the request that got it. */
    start: (token: string, request: RequestSpec): void => {
      facts.token = token;
      facts.tokenRequest = request;
    },
    adopt: (token: string): void => {
      facts.token = token;
      refusals = 0;
    },
  };
}

/**
 * The origin of requests that no scenario asked for. They go first, because others wait for them.
 */
export const sessionOrigin: Origin = { id: "session", name: "session", urgency: Infinity };

/** A request that changes nothing. Its response is compared with refusals. */
export const listRequest: RequestSpec = { operation: "listBatches", intent: valid };

/**
 * The forms of a token request: two that must work (INT-14), and one with a body. If only the one
 * with a body works, the server breaks a rule, but the key is right.
 */
export const tokenRequests: readonly [RequestSpec, ...RequestSpec[]] = [
  { operation: "createToken", intent: valid, contentType: null },
  { operation: "createToken", intent: valid, contentType: "application/json" },
  { operation: "createToken", intent: unusual("with a body"), body: {} },
];

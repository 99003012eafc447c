import { requirementOf } from "../../spec/catalogue.ts";
import { operationTitle } from "../../spec/operations.ts";
import type { Delivery, DeliveryParts } from "../transport/delivery.ts";
import {
  isRefusal,
  isSuccess,
  memberOf,
  messageOf,
  valid,
  type RequestSpec,
  type Exchange,
} from "../../model/exchange.ts";
import type { Origin } from "../recording/recorder.ts";
import { isUsableToken, longestToken, tokenRequests, type Session } from "./session.ts";
import type { Judge } from "../judging/judge.ts";
import { Inconclusive } from "../scenario-errors.ts";
import { pause } from "../transport/throttling.ts";

/** Gets the session its tokens, and finds out whether a refusal is about the token or about the request. */
export interface Credentials {
  /** A new token, or why there is none. */
  readonly issue: () => Promise<{ token: string } | { reason: string }>;
  /** Asks with the session's token, and with another where this one may have lapsed or been revoked (rulings 14 and 16). */
  readonly signed: (ask: RequestSpec, origin: Origin) => Promise<Exchange>;
  /** How often a block was waited for: good credentials were refused meanwhile. */
  readonly waits: () => number;
  /** Takes note of what a response shows of key and token. */
  readonly learn: (exchange: Exchange) => void;
}

type CredentialsParts = Pick<DeliveryParts, "recorder" | "rateLimiter" | "signal"> & {
  readonly session: Session;
  readonly delivery: Delivery;
  readonly settle: Judge["settle"];
  /** Asks with all the patience there is. */
  readonly patiently: (ask: RequestSpec, origin: Origin) => Promise<Exchange>;
};

/** Waits where what worked before is refused, before it is asked again, in milliseconds. */
const blockWaits = [1000, 2000, 4000];

/** Controls that were accepted, after which 403 is taken for this server's word on a request. */
const mostControls = 3;

/** Bytes of a list that is asked for again and again. */
const longestControl = 100_000;

/** The control for 403: it changes nothing. */
const listRequest: RequestSpec = { operation: "listBatches", intent: valid };

/** Sendings of one request among others, on account of tokens that those made obsolete. */
const mostAttempts = 3;

const ourselves: Origin = { name: "session", requirements: ["AUTH-01"] };

export const createCredentials = (parts: CredentialsParts): Credentials => {
  const { recorder, rateLimiter, signal, session, delivery, settle, patiently } = parts;
  /** How this server was seen to issue tokens. */
  let tokenRequest: RequestSpec | undefined;
  let keyWorked = false;
  /** Bytes of the list when it was last given. */
  let listLength: number | undefined;

  let waits = 0;
  const waitOut = async (wait: number, what: string): Promise<void> => {
    waits += 1;
    recorder.tell({ type: "waiting", text: `${what}, waiting ${wait / 1000} s` });
    await pause(wait, signal);
  };

  /** A key that has worked is right: what refuses it now may pass, as a firewall's block does. */
  const issue: Credentials["issue"] = async () => {
    let issued = await issueToken();
    for (const wait of keyWorked ? blockWaits : []) {
      if ("token" in issued || signal.aborted) break;
      await waitOut(wait, "no token for a key that has worked");
      issued = await issueToken();
    }
    return issued;
  };

  const issueToken: Credentials["issue"] = async () => {
    let reason = "";
    for (const ask of [...new Set([...(tokenRequest === undefined ? [] : [tokenRequest]), ...tokenRequests])]) {
      const exchange = await patiently(ask, ourselves);
      const token = memberOf(exchange.json, "token");
      if (isSuccess(exchange) && isUsableToken(token)) {
        if (token.length > longestToken)
          return { reason: `POST /auth/token gave a token of ${token.length} characters, which no header can carry` };
        tokenRequest = ask;
        return { token };
      }
      if (reason === "")
        reason = `POST /auth/token gave no usable token: ${messageOf(exchange)}. Is the API key right?`;
      if (!isRefusal(exchange)) break;
    }
    return { reason };
  };

  const signed: Credentials["signed"] = async (ask, origin) => {
    await session.token();
    let renewed = false;
    for (let attempts = 1; ; attempts += 1) {
      const exchange = await patiently(ask, origin);
      const used = tokenOf(exchange);
      const { status } = exchange.response;
      if (isSuccess(exchange)) {
        session.proved(used, exchange.at);
        if (ask.intent.kind === "valid") recorder.holds("AUTH-04", exchange);
        return exchange;
      }
      if (status !== 401 && status !== 403) return exchange;
      if (session.current() !== used && attempts < mostAttempts) continue;
      // A token that has just been accepted elsewhere explains no 403; 401 speaks of the token (ruling 14).
      const isProved = session.provedSince(used, exchange.at);
      const isOfTheRequest = ask.intent.kind !== "valid" || status === 403;
      if (isOfTheRequest && (isProved || (await isAlive(used, ask)))) return exchange;
      if (renewed || attempts >= mostAttempts) return examineToken(ask, origin);
      renewed = true;
      recorder.observe("OPEN-19", "any request", `a token was refused with ${status}, and another was asked for`);
      await session.renew(used);
    }
  };

  /** Whether the list takes the token, which costs less than another; not where the list is long. */
  const isAlive = async (token: string, { operation }: RequestSpec): Promise<boolean> => {
    if (listLength === undefined || listLength > longestControl || operation === "listBatches") return false;
    const control = await patiently(listRequest, ourselves);
    if (!isSuccess(control) || tokenOf(control) !== token) return false;
    session.proved(token, control.at);
    return true;
  };

  /**
   * With a token of its own while nothing else is in flight, since others may use a token up or revoke it. A token
   * that was just issued and is refused twice is no token (ruling 14).
   */
  const examineToken = (ask: RequestSpec, origin: Origin): Promise<Exchange> =>
    rateLimiter.alone(async () => {
      const left = [...blockWaits];
      for (let refusals = 0; ;) {
        const issue = tokenRequest ?? tokenRequests[0];
        const issued = issue === undefined ? undefined : settle(issue, ourselves, await delivery.direct(issue));
        const delivered = await delivery.direct(ask);
        if (delivered.response.status === 429 || [502, 503, 504].includes(delivered.response.status)) {
          throw new Inconclusive(
            `${operationTitle(ask.operation)} answered ${delivered.response.status} while its token was looked into`,
          );
        }
        const exchange = settle(ask, origin, delivered);
        const { status } = exchange.response;
        if (isSuccess(exchange)) session.proved(tokenOf(exchange), exchange.at);
        if (isSuccess(exchange) && ask.intent.kind === "valid") recorder.holds("AUTH-04", exchange);
        const wait = status === 403 && (await isBlocked(issued)) ? left.shift() : undefined;
        if (wait !== undefined) {
          await waitOut(wait, "403 to everything");
          continue;
        }
        if (status !== 401 || ask.intent.kind !== "valid") return exchange;
        refusals += 1;
        if (refusals === 2) {
          accuseToken(exchange, origin);
          return exchange;
        }
      }
    });

  /** Whether 403 is not about the request: what worked before is refused too, as a firewall does for a while. */
  const isBlocked = async (issued: Exchange | undefined): Promise<boolean> => {
    if (issued !== undefined && isRefusal(issued) && keyWorked) return true;
    if (listLength === undefined || (blocks.seen === 0 && blocks.none >= mostControls)) return false;
    const control = settle(listRequest, ourselves, await delivery.direct(listRequest));
    const blocked = control.response.status === 403;
    if (blocked) blocks.seen += 1;
    else blocks.none += 1;
    return blocked;
  };

  const blocks = { seen: 0, none: 0 };

  const accuseToken = (exchange: Exchange, origin: Origin): void =>
    recorder.violated("AUTH-04", origin, {
      message: `${operationTitle(exchange.operation)} refuses tokens that were just issued.`,
      expected: requirementOf("AUTH-04").statement,
      actual: `two fresh tokens in a row were answered with ${messageOf(exchange)}`,
      exchange,
    });

  return {
    issue,
    signed,
    waits: () => waits,
    learn: (exchange) => {
      if (!isSuccess(exchange)) return;
      const token = exchange.operation === "createToken" ? memberOf(exchange.json, "token") : undefined;
      keyWorked ||= exchange.intent.kind === "valid" && isUsableToken(token) && token.length <= longestToken;
      if (exchange.operation === "listBatches") listLength = exchange.response.body.length;
    },
  };
};

const tokenOf = (exchange: Exchange): string =>
  (exchange.request.headers.find(([name]) => name === "Authorization")?.[1] ?? "").replace(/^Bearer /, "");

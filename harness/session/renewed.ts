import { isSuccess, type Exchange, type RequestSpec } from "../../model/exchange.ts";
import type { Send } from "../transport/send.ts";
import type { SessionParts } from "./session-parts.ts";
import { listRequest, sessionOrigin, tokenOf } from "./session-requests.ts";
import { createTokenExamination } from "./token-examination.ts";

/** Sendings of one request among others, because these made its token obsolete. */
const mostAttempts = 3;

/** Bytes of a list that is fetched again and again. */
const longestControl = 100_000;

/** Sends with the session's token, and with another where this one may have lapsed or been revoked (INT-14 and INT-16). */
export const createRenewed = (parts: SessionParts): Send<Exchange> => {
  const { recorder, rateLimiter, session, facts, blocks, withRetries, firstWithRetries } = parts;
  const examineToken = createTokenExamination(parts);

  /** The control that is under way: one is enough for all requests that met a refusal at the same time. */
  let control: Promise<Exchange> | undefined;
  const sendControl = (): Promise<Exchange> => {
    if (control !== undefined) return control;
    // What waits for its turn would meet the same refusal.
    const release = rateLimiter.hold();
    control = firstWithRetries(listRequest, sessionOrigin).finally(() => {
      control = undefined;
      release();
    });
    return control;
  };

  /** Whether the list takes the token, which costs less than another token; not where the list is long. */
  const isAlive = async (token: string, { operation }: RequestSpec): Promise<boolean> => {
    const length = facts.listLength();
    if (length === undefined || length > longestControl || operation === "listBatches") return false;
    const list = await sendControl();
    if (!isSuccess(list) || tokenOf(list) !== token) return false;
    session.proved(token, list.at);
    return true;
  };

  /** Whether a 401 or 403 is about the request: a token that is accepted elsewhere explains no 403 (INT-14). */
  const isOfTheRequest = async (spec: RequestSpec, exchange: Exchange, token: string): Promise<boolean> => {
    if (spec.intent.kind === "valid" && exchange.response.status !== 403) return false;
    return session.provedSince(token, exchange.at) || isAlive(token, spec);
  };

  return async (spec, origin) => {
    await session.token();
    let renewed = false;
    for (let attempts = 1; ; attempts += 1) {
      const waits = blocks.waits();
      const exchange = await withRetries(spec, origin);
      const used = tokenOf(exchange);
      const { status } = exchange.response;
      if (isSuccess(exchange)) {
        session.proved(used, exchange.at);
        if (spec.intent.kind === "valid") recorder.holds("AUTH-04", exchange);
        return exchange;
      }
      if (status !== 401 && status !== 403) return exchange;
      await session.renewed();
      if (status === 403 && blocks.waits() > waits) return examineToken(spec, origin, used);
      if (session.current() !== used && attempts < mostAttempts) continue;
      if (await isOfTheRequest(spec, exchange, used)) return exchange;
      if (renewed || attempts >= mostAttempts) return examineToken(spec, origin, used);
      renewed = true;
      recorder.observe("OPEN-19", "any request", `a token was refused with ${status}, and another was fetched`);
      await session.renew(used);
    }
  };
};

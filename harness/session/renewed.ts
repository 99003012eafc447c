import { isSuccess, type Exchange, type RequestSpec } from "../../model/exchange.ts";
import type { Send } from "../transport/send.ts";
import type { SessionParts } from "./session-parts.ts";
import { listRequest, sessionOrigin, tokenOf } from "./session-requests.ts";
import { createTokenExamination } from "./token-examination.ts";

/** How often a request is sent beside others that may have made its token obsolete. */
const mostAttempts = 3;

/** The longest list, in bytes, that serves as a control: it is fetched often. */
const longestControl = 100_000;

/**
 * Sends with the session's token, and again with a new one if it may have lapsed or been revoked (INT-14 and INT-16).
 */
export const createRenewed = (parts: SessionParts): Send<Exchange> => {
  const { recorder, rateLimiter, session, facts, blocks, withRetries, firstWithRetries } = parts;
  const examineToken = createTokenExamination(parts);

  /** The control in flight: one is enough for all requests that were refused at the same time. */
  let control: Promise<Exchange> | undefined;
  const sendControl = (): Promise<Exchange> => {
    if (control !== undefined) return control;
    // Waiting requests would meet the same refusal.
    const release = rateLimiter.hold();
    control = firstWithRetries(listRequest, sessionOrigin).finally(() => {
      control = undefined;
      release();
    });
    return control;
  };

  /**
   * Whether a 401 or 403 is about the request: if `GET /batches` accepts the token, it does not explain a 403 (INT-14).
   * The control must be sent after the refusal arrived: the server may serve requests in flight in any order, so an
   * earlier one may have been served before the token lapsed. A control costs less than a new token, unless the list is
   * long.
   */
  const isOfTheRequest = async (spec: RequestSpec, exchange: Exchange, token: string): Promise<boolean> => {
    if (spec.intent.kind === "valid" && exchange.response.status !== 403) return false;
    const length = facts.listLength();
    if (length === undefined || length > longestControl || spec.operation === "listBatches") return false;
    let list = await sendControl();
    if (isSuccess(list) && list.at < exchange.at + exchange.response.took) list = await sendControl();
    return isSuccess(list) && tokenOf(list) === token;
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

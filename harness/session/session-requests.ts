import { valid, type Exchange, type Origin, type RequestSpec } from "../../model/exchange.ts";

/** The origin of requests that no scenario sent. */
export const sessionOrigin: Origin = { id: "session", name: "session" };

/** A request that changes nothing, by which other refusals are compared. */
export const listRequest: RequestSpec = { operation: "listBatches", intent: valid };

/** The token that a request carried. */
export const tokenOf = (exchange: Exchange): string =>
  (exchange.request.headers.find(([name]) => name === "Authorization")?.[1] ?? "").replace(/^Bearer /, "");

import { unusual, valid, type Origin, type RequestSpec } from "../../model/exchange.ts";

/** The origin of requests that no scenario sent. */
export const sessionOrigin: Origin = { id: "session", name: "session" };

/** A request that changes nothing, by which other refusals are compared. */
export const listRequest: RequestSpec = { operation: "listBatches", intent: valid };

/**
 * Forms of the token request: the two that must work (INT-14), and one with a body. If only the one with a body works,
 * the server refuses the other two for their form and not for the key.
 */
export const tokenRequests: readonly RequestSpec[] = [
  { operation: "createToken", intent: valid, contentType: null },
  { operation: "createToken", intent: valid, contentType: "application/json" },
  { operation: "createToken", intent: unusual("with a body"), body: {} },
];

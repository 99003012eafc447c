import type { IncomingMessage } from "node:http";

/**
 * Whether a request comes from the page itself or from a typed address. It must have the right Host, so that no name of
 * another site leads here, and no foreign Origin. A request that changes something must have an Origin.
 */
export function isOwnRequest({ headers, method }: Pick<IncomingMessage, "headers" | "method">, host: string): boolean {
  const site = headers["sec-fetch-site"];
  const origin = headers.origin;
  if (headers.host !== host) return false;
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  return origin === undefined ? method === "GET" : origin === `http://${host}`;
}

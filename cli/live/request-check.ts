import type { IncomingMessage } from "node:http";

/**
 * Whether a request comes from the page itself or from its address being typed: the right host, so that no name of a
 * foreign site leads here, and no foreign origin. What changes something must name its origin.
 */
export function isOwnRequest({ headers, method }: Pick<IncomingMessage, "headers" | "method">, host: string): boolean {
  const site = headers["sec-fetch-site"];
  const origin = headers.origin;
  if (headers.host !== host) return false;
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  return origin === undefined ? method === "GET" : origin === `http://${host}`;
}

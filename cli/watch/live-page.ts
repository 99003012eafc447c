import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { livePage } from "../../reports/html/live-page.ts";
import { isRequirementId, type RequirementId } from "../../spec/catalogue.ts";
import type { WatchResults } from "./results.ts";

type WantedChecks = "failed" | "everything" | readonly RequirementId[];

/**
 * Serves the page on 127.0.0.1 alone, at a path that nobody can guess. Returns its address, and a
 * function that ends the server.
 */
export async function startLivePage(
  { news, state }: WatchResults,
  masked: (text: string) => string,
  check: (wanted: WantedChecks) => void,
) {
  const path = `/${randomBytes(18).toString("base64url")}/`;
  const server = createServer((request, response) => {
    void answered(request, response).catch(() => response.destroy());
  });

  async function answered(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const { method = "", url = "" } = request;
    if (!isOwnRequest(request, host())) return void response.writeHead(403).end();
    if (method === "GET" && url === path)
      return void response
        .writeHead(200, { "content-type": "text/html; charset=utf-8" })
        .end(masked(livePage(state()).page));
    if (method === "GET" && url === `${path}pages`) return sendPages(response);
    if (method !== "POST" || url !== `${path}check`) return void response.writeHead(404).end();
    const wanted = wantedIn(await text(request));
    if (wanted !== undefined) check(wanted);
    response.writeHead(wanted === undefined ? 400 : 202).end();
  }

  /**
   * Sends the status line, and before it the page if that has changed, as server-sent events until
   * the reader is gone.
   */
  async function sendPages(response: ServerResponse): Promise<void> {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    const send = (event: string, data: unknown): void =>
      void response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    let sent: string | undefined;
    while (!response.destroyed) {
      // There may be no news for long, but the time that is left changes.
      const isOver = AbortSignal.timeout(rest.most);
      const next = once(news, "news", { signal: isOver }).catch(() => undefined);
      const started = performance.now();
      const now = state();
      const live = livePage(now);
      const [page, status] = [masked(live.page), masked(live.status)];
      if (page !== sent) send("page", page);
      sent = page;
      send("status", { status, isRunning: now.checking !== undefined });
      const least = Math.max(rest.least, rest.factor * (performance.now() - started));
      await Promise.all([next, setTimeout(least), read(response)]);
    }
  }

  await once(server.listen({ host: "127.0.0.1", port: 0 }), "listening");
  const host = (): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address: `http://${host()}${path}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const headers = {
  "content-security-policy": "frame-ancestors 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const;

/** Returns the checks that a request of the page asks for. Undefined for any other body. */
function wantedIn(body: string): WantedChecks | undefined {
  if (body === "failed" || body === "everything") return body;
  return isRequirementId(body) ? [body] : undefined;
}

/**
 * Whether a request comes from the page or a typed address: its Host is that of the page, and its
 * Origin is not foreign. A request that changes something must have an Origin.
 */
function isOwnRequest(
  { headers, method }: Pick<IncomingMessage, "headers" | "method">,
  host: string,
): boolean {
  const site = headers["sec-fetch-site"];
  const origin = headers.origin;
  if (headers.host !== host) return false;
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  return origin === undefined ? method === "GET" : origin === `http://${host}`;
}

/**
 * Resolves when the reader has read what was sent, or is gone: for a reader that does not read,
 * nothing is rendered or kept.
 */
async function read(response: ServerResponse): Promise<void> {
  if (!response.writableNeedDrain) return;
  const over = new AbortController();
  const ends = ["drain", "close"].map((name) => once(response, name, { signal: over.signal }));
  await Promise.race(ends).catch(() => undefined);
  over.abort();
}

/**
 * The pause between two renderings: from `least` to `most` milliseconds, and at least `factor`
 * times as long as the last rendering took.
 */
const rest = { least: 250, most: 2_000, factor: 3 } as const;

import type { Socket } from "node:net";
import { buildConnector, Client } from "undici";
import { portOf } from "../../../model/network.ts";
import type { Target } from "../../../model/target.ts";
import { proxyTlsOf, proxyToken } from "./dispatcher.ts";

/** What a proxy answered to CONNECT. */
export interface TunnelResponse {
  readonly status: number;
  /** Leads to the target if the status is a success. Otherwise it carries the rest of the proxy's response. */
  readonly socket: Socket;
  readonly close: () => void;
}

/**
 * Opens a tunnel through the target's proxy, to find out why requests do not get through. Undefined if the target has
 * no proxy. Rejects if the proxy does not respond in time.
 */
export const openTunnel = async (
  target: Target,
  timeout: number,
  signal: AbortSignal,
): Promise<TunnelResponse | undefined> => {
  const { proxy, baseUrl } = target;
  if (proxy === undefined) return undefined;
  const url = new URL(baseUrl);
  const host = `${url.hostname}:${portOf(url)}`;
  const client = new Client(proxy.url, {
    connect: buildConnector(proxyTlsOf(target, timeout)),
    headersTimeout: timeout,
  });
  try {
    const { statusCode, socket } = await client.connect({
      path: host,
      headers: {
        host,
        ...(proxy.credentials === undefined ? {} : { "proxy-authorization": proxyToken(proxy.credentials) }),
      },
      signal,
    });
    const ended = socket as Socket;
    ended.on("error", () => undefined);
    return {
      status: statusCode,
      socket: ended,
      close: () => {
        ended.destroy();
        client.destroy().catch(() => undefined);
      },
    };
  } catch (error) {
    client.destroy().catch(() => undefined);
    throw error;
  }
};

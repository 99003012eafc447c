import { connect } from "node:net";
import type { NetworkFailure } from "../../model/exchange.ts";
import { hostOf, portOf } from "../../model/network.ts";
import type { Target } from "../../model/target.ts";

/** What a plain connection shows after the first request failed. */
export interface Probe {
  /** The first characters that the port sends unasked. May hold anything. */
  readonly begins?: string;
  /** The base URL with the other loopback address, if only that one accepts connections. */
  readonly openAt?: string;
}

/** The most milliseconds that a probe waits. */
const longestWait = 500;

const otherLoopback = new Map([
  ["127.0.0.1", "[::1]"],
  ["[::1]", "127.0.0.1"],
]);

/**
 * Looks again where a request failed, without sending anything: whether the other loopback address
 * accepts connections where this one refuses them, and what a port says that does not speak TLS.
 */
export async function probeOf(
  { baseUrl, proxy }: Target,
  { code = "" }: Pick<NetworkFailure, "code">,
): Promise<Probe> {
  if (proxy !== undefined) return {};
  const url = new URL(baseUrl);
  if (code.endsWith("_WRONG_VERSION_NUMBER")) {
    const begins = await heardAt(url);
    return begins === undefined ? {} : { begins };
  }
  const other = otherLoopback.get(url.hostname);
  if (code !== "ECONNREFUSED" || other === undefined) return {};
  url.hostname = other;
  const isOpen = (await heardAt(url)) !== undefined;
  return isOpen ? { openAt: url.href.replace(/\/$/, "") } : {};
}

/** What a port sends unasked, which may be nothing. Undefined if it accepts no connection. */
function heardAt(url: URL): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(portOf(url), hostOf(url.href));
    let isOpen = false;
    const end = (heard: string): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isOpen ? heard : undefined);
    };
    const timer = setTimeout(() => end(""), longestWait);
    socket.on("connect", () => {
      isOpen = true;
    });
    socket.on("data", (bytes) => end(bytes.toString("latin1", 0, 4096)));
    socket.on("error", () => end(""));
    socket.on("end", () => end(""));
  });
}

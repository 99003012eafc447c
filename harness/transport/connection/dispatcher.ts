import { defined } from "../../../model/defined.ts";
import { isIP, type Socket } from "node:net";
import { buildConnector, Pool, ProxyAgent, type Dispatcher } from "undici";
import { portOf, type Proxy } from "../../../model/network.ts";
import type { Target } from "../../../model/target.ts";
import { ClosedTunnel } from "../network-failure.ts";
import { withoutInterim } from "./interim.ts";
import { secureContextOf } from "./secure-context.ts";

/** Milliseconds for each connection, and how many there may be at once. */
export interface ConnectionBounds {
  readonly timeout: number;
  readonly connections: number;
  /** Idle connections stay until the target ends them. @defaultValue false: for 4 s, or as long as the target says */
  readonly untilEnded?: boolean;
  /** Called with each socket to the target, after the TLS handshake if there is one. */
  readonly onSocket?: ((socket: Socket) => void) | undefined;
}

/** Legal servers send long headers (tokens of 4 KB in cookies); a megabyte of them is not legal. */
const maxHeaderSize = 256 * 1024;

/** What a connection to the target depends on. */
type Way = Pick<Target, "baseUrl" | "ca" | "clientCertificate" | "insecure" | "proxy">;

/** Connections to the target, through its proxy if it has one. */
export const dispatcherOf = (target: Way, bounds: ConnectionBounds): Dispatcher => {
  const { proxy } = target;
  const options = {
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize,
    pipelining: 1,
    connections: bounds.connections,
    // The negative threshold keeps connections for longer than the target announces.
    ...(bounds.untilEnded === true
      ? { keepAliveTimeout: 600_000, keepAliveTimeoutThreshold: -5000 }
      : { keepAliveTimeout: 4000 }),
  };
  const tls = tlsOptionsOf(target, bounds.timeout);
  const poolOf = (origin: string | URL, connect: buildConnector.connector): Pool =>
    new Pool(origin, { ...options, connect: watched(withoutInterim(connect), bounds.onSocket) });
  if (proxy === undefined) {
    return poolOf(new URL(target.baseUrl).origin, buildConnector(tls));
  }
  return new ProxyAgent({
    uri: proxy.url,
    ...(proxy.credentials === undefined ? {} : { token: proxyToken(proxy.credentials) }),
    // Plain HTTP goes to the proxy as a request in absolute form, as clients usually do (RFC 9112, 3.2.2).
    proxyTunnel: false,
    requestTls: tls,
    proxyTls: proxyTlsOf(target, bounds.timeout),
    clientFactory: (url, own) => {
      const { connect } = own as { readonly connect: buildConnector.connector };
      return new Pool(url, { ...own, connect: named(connect), headersTimeout: bounds.timeout });
    },
    factory: (origin, own) => poolOf(origin, ending((own as { readonly connect: buildConnector.connector }).connect)),
  });
};

/** A connection of its own for plain HTTP, whatever the scheme of the base URL. Direct. */
export const plainDispatcherOf = (target: Target, { timeout }: Pick<ConnectionBounds, "timeout">): Dispatcher => {
  const { hostname, port, protocol } = new URL(target.baseUrl);
  const connect = withoutInterim(buildConnector({ timeout }));
  return new Pool(`http://${hostname}:${portOf({ port, protocol })}`, { connections: 1, maxHeaderSize, connect });
};

/** For the connection to the target. */
const tlsOptionsOf = (
  target: Pick<Target, "ca" | "clientCertificate" | "insecure">,
  timeout: number,
): buildConnector.BuildOptions => ({
  timeout,
  rejectUnauthorized: !target.insecure,
  ...defined({ secureContext: secureContextOf(target) }),
  allowH2: false,
});

/** For the connection to a proxy that is itself reached by TLS: the client certificate is for the target. */
export const proxyTlsOf = (
  { ca, insecure }: Pick<Target, "ca" | "insecure">,
  timeout: number,
): buildConnector.BuildOptions => tlsOptionsOf({ ...defined({ ca }), insecure }, timeout);

/** The value of Proxy-Authorization (RFC 7617). */
export const proxyToken = ({ user, password }: NonNullable<Proxy["credentials"]>): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

/** An IP address is not a server name in TLS (RFC 6066, section 3). */
const named =
  (connect: buildConnector.connector): buildConnector.connector =>
  ({ servername, ...options }, callback) => {
    // undici gives null if it has no name, although its types do not say so.
    const name = (servername ?? "").replace(/^\[|\]$/g, "");
    connect(name === "" || isIP(name) !== 0 ? options : { ...options, servername: name }, callback);
  };

/** The connector of a proxy: where the proxy ends the connection, undici would connect again and again without a pause. */
const ending =
  (connect: buildConnector.connector): buildConnector.connector =>
  (options, callback) =>
    connect(options, (...result) => {
      const [error] = result;
      if (error === null || !("code" in error) || error.code !== "UND_ERR_SOCKET") callback(...result);
      else callback(new ClosedTunnel(error.message), null);
    });

const watched =
  (connect: buildConnector.connector, onSocket: ConnectionBounds["onSocket"]): buildConnector.connector =>
  (options, callback) =>
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error === null) {
        // An alert after the handshake says why the connection ends; undici would report only that it ended.
        socket.once("error", (alert) => socket.destroy(alert));
        onSocket?.(socket);
      }
      callback(...result);
    });

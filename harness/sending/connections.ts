import * as tls from "node:tls";
import { defined } from "../../model/defined.ts";
import { isIP, type Socket } from "node:net";
import { buildConnector, Pool, ProxyAgent, type Dispatcher } from "undici";
import type { NetworkFailure } from "../../model/exchange.ts";
import type { Proxy } from "../../model/network.ts";
import type { Target } from "../../model/target.ts";
import { fileBounds, fileBytes } from "../../model/files.ts";

/** How long connections last, in milliseconds, and how many there may be at once. */
export interface ConnectionBounds {
  readonly timeout: number;
  readonly connections: number;
  /** How long an idle connection stays open. @defaultValue 4 s; less if the server says so */
  readonly keepAlive?: number | undefined;
  /** Called with each socket to the target, after the TLS handshake if there is one. */
  readonly onSocket?: ((socket: Socket) => void) | undefined;
}

/**
 * The most bytes that the headers of a response may have. Legal servers send long headers, such as
 * tokens of 4 KB in cookies, but not a megabyte of them.
 */
const maxHeaderSize = 256 * 1024;

type ConnectionTarget = Pick<Target, "baseUrl" | "ca" | "clientCertificate" | "insecure" | "proxy">;

/** Opens connections to the target, through its proxy if it has one. */
export function dispatcherOf(target: ConnectionTarget, bounds: ConnectionBounds): Dispatcher {
  const { proxy } = target;
  const options = {
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize,
    pipelining: 1,
    connections: bounds.connections,
    keepAliveTimeout: bounds.keepAlive ?? 4000,
  };
  const tls = tlsOptionsOf(target, bounds.timeout);
  const prepare = (socket: Socket): void => {
    skipInterim(socket);
    // An alert after the handshake says why the connection ends. Without this listener, undici
    // reports only that the connection ended.
    socket.once("error", (alert) => socket.destroy(alert));
    bounds.onSocket?.(socket);
  };
  const poolOf = (origin: string | URL, connect: buildConnector.connector): Pool =>
    new Pool(origin, { ...options, connect: preparing(connect, prepare) });
  if (proxy === undefined) return poolOf(new URL(target.baseUrl).origin, buildConnector(tls));
  return new ProxyAgent({
    uri: proxy.url,
    ...(proxy.credentials === undefined ? {} : { token: proxyToken(proxy.credentials) }),
    // A plain HTTP request goes to the proxy with the whole address in its first line, as clients
    // usually do (RFC 9112, 3.2.2).
    proxyTunnel: false,
    requestTls: tls,
    // The client certificate is meant for the target, not for the proxy.
    proxyTls: tlsOptionsOf(
      { insecure: target.insecure, ...defined({ ca: target.ca }) },
      bounds.timeout,
    ),
    clientFactory: (url, own) => {
      const { connect } = own as { readonly connect: buildConnector.connector };
      return new Pool(url, { ...own, connect: named(connect), headersTimeout: bounds.timeout });
    },
    factory: (origin, own) =>
      poolOf(origin, ending((own as { readonly connect: buildConnector.connector }).connect)),
  });
}

function tlsOptionsOf(
  target: Pick<Target, "ca" | "clientCertificate" | "insecure">,
  timeout: number,
) {
  return {
    timeout,
    rejectUnauthorized: !target.insecure,
    ...defined({ secureContext: secureContextOf(target) }),
    allowH2: false,
  };
}

/** The value of Proxy-Authorization (RFC 7617). */
export function proxyToken({ user, password }: NonNullable<Proxy["credentials"]>): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

/** Leaves out the server name of TLS if the host is an IP address (RFC 6066, section 3). */
function named(connect: buildConnector.connector): buildConnector.connector {
  return ({ servername, ...options }, callback) => {
    // undici passes null for a missing name, although its types do not say so.
    const name = (servername ?? "").replace(/^\[|\]$/g, "");
    connect(name === "" || isIP(name) !== 0 ? options : { ...options, servername: name }, callback);
  };
}

/**
 * A connector that fails with ClosedTunnel if the proxy closes the connection. With the error of
 * undici itself, undici would connect again and again.
 */
function ending(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      const [error] = result;
      if (error === null || !("code" in error) || error.code !== "UND_ERR_SOCKET")
        callback(...result);
      else callback(new ClosedTunnel(error.message), null);
    });
}

/** A connector that calls `prepare` with each new socket before it hands the socket to undici. */
function preparing(
  connect: buildConnector.connector,
  prepare: (socket: Socket) => void,
): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error === null) prepare(socket);
      callback(...result);
    });
}

/** The first line of an interim response (1xx). A 101 is none: no HTTP follows it. */
const interimLine = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]/;
const interimStart = "HTTP/1.1 100 ";
/** The most bytes of the head of an interim response. */
const mostInterim = 32 * 1024;

/**
 * Leaves out interim responses, which say nothing of a request. Every client must read them (RFC
 * 9110, 15.2), but undici ends the connection at a 100. Until the final response to a request
 * begins, bytes that may belong to an interim one wait for those that follow, however they are cut.
 */
function skipInterim(socket: Socket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  let held = Buffer.alloc(0);
  /** How many bytes had been written to the socket when the last final response began. */
  let written = 0;
  socket.read = (size?: number): Buffer | null => {
    const next = read(size);
    if (next === null || socket.bytesWritten <= written) return next;
    let rest = Buffer.concat([held, next]);
    held = Buffer.alloc(0);
    while (mayBeInterim(rest)) {
      const end = rest.indexOf("\r\n\r\n");
      if (end >= 0) rest = rest.subarray(end + 4);
      else if (rest.length > mostInterim) break;
      else {
        held = rest;
        return null;
      }
    }
    written = socket.bytesWritten;
    return rest;
  };
}

/** Whether an interim response begins with these bytes, or may begin with them. */
function mayBeInterim(bytes: Buffer): boolean {
  const line = bytes.toString("latin1", 0, interimStart.length);
  return interimLine.test(line + interimStart.slice(line.length));
}

/**
 * The TLS context with the trusted certificates and the client certificate. Undefined if the target
 * names neither: then Node's default applies. Throws if a certificate cannot be read.
 */
export function secureContextOf({
  ca,
  clientCertificate,
}: Pick<Target, "ca" | "clientCertificate">): tls.SecureContext | undefined {
  if (ca === undefined && clientCertificate === undefined) return undefined;
  const id = JSON.stringify([ca, clientCertificate]);
  const { cert, key } = clientCertificate ?? {};
  const context = contexts.get(id) ?? tls.createSecureContext(defined({ cert, key }));
  // The option `ca` would replace Node's own certificates. Loading them a second time takes 0.1 s.
  if (ca !== undefined && !contexts.has(id)) {
    for (const pem of [...extra(), ca]) (context.context as OpenContext).addCACert(pem);
  }
  contexts.set(id, context);
  return context;
}

interface OpenContext {
  readonly addCACert: (pem: string) => void;
}

const contexts = new Map<string, tls.SecureContext>();

/**
 * The certificates of NODE_EXTRA_CA_CERTS, which Node 20 drops from a context when others are added
 * to it. Empty if the variable is not set or its file cannot be read.
 */
function extra(): readonly string[] {
  const path = process.env["NODE_EXTRA_CA_CERTS"];
  if (path === undefined || path === "") return [];
  try {
    return [fileBytes(path, { most: fileBounds.certificates }).toString("utf8")];
  } catch {
    return [];
  }
}

/** Thrown if a proxy closed the connection instead of answering CONNECT. */
class ClosedTunnel extends Error {
  override readonly name = "ClosedTunnel";
}

/** The failure that an error of undici or of the system means. */
export function failureOf(error: unknown): Omit<NetworkFailure, "took"> {
  const {
    name = "",
    code = "",
    message = String(error),
  } = (error ?? {}) as Partial<Error & { code: string }>;
  // undici's parser throws this error for a response that it did not expect.
  if (code === "ERR_ASSERTION")
    return { kind: "protocol", message: "the response is not readable HTTP" };
  const text = shortened(message);
  return {
    kind: kindOf(error, name, code),
    message: code === "" || text.includes(code) ? text : `${text} (${code})`,
  };
}

function kindOf(error: unknown, name: string, code: string): NetworkFailure["kind"] {
  if (
    name === "HTTPParserError" ||
    code === "UND_ERR_HEADERS_OVERFLOW" ||
    code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"
  )
    return "protocol";
  if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO/.test(code)) return "tls";
  const isOfWay = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CONNECT_TIMEOUT/.test(
    code,
  );
  // undici gives its error for a proxy that refuses a tunnel the code of a request that was aborted.
  const isOfProxy = error instanceof ClosedTunnel || code === "UND_ERR_ABORTED";
  return isOfWay || isOfProxy ? "connect" : "dropped";
}

/** The message of an error. Of OpenSSL's, which name source files, only the reason. */
function shortened(message: string): string {
  return /:error:[^:]*:[^:]*:[^:]*:([^:]+):/.exec(message)?.[1] ?? message;
}

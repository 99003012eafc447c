import { isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { noConnectionText, type NetworkFailure } from "../../harness/transport/client.ts";
import { secureContextOf, openTunnel } from "../../harness/transport/connections.ts";
import { failureOf, isOfCertificate } from "../../harness/transport/network-failure.ts";
import type { ReceivedResponse } from "../../model/exchange.ts";
import { proxyText, type Proxy } from "../../model/network.ts";
import type { Target } from "../../model/target.ts";
import { issuerOf } from "./client-certificate.ts";
import { within } from "./name.ts";
import { cutTo, isOfApi, pageText, responseText, type PreflightStep } from "./step.ts";

/** What limits the examination of a proxy. */
interface Bounds {
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly redact: (text: string) => string;
}

/** The failed step if the proxy caused a failure; undefined if there is no proxy or it is not the cause. */
export const proxyFault = async (
  target: Target,
  failure: NetworkFailure,
  bounds: Bounds,
): Promise<PreflightStep | undefined> => {
  const { proxy, baseUrl } = target;
  if (proxy === undefined) return undefined;
  const { kind, proxyStatus } = failure;
  if (kind === "proxy" && proxyStatus === undefined) return silent(proxy, failure.message);
  if (baseUrl.startsWith("http:")) return proxyStatus === 407 ? refused(proxy, target, proxyStatus, "") : undefined;
  try {
    const tunnel = await openTunnel(
      target,
      bounds.timeout,
      AbortSignal.any([bounds.signal, AbortSignal.timeout(bounds.timeout)]),
    );
    if (tunnel === undefined) return undefined;
    try {
      const { status, socket } = tunnel;
      if (status < 200 || status > 299) return refused(proxy, target, status, await wordsOf(socket, bounds));
      return kind === "tls" || kind === "dropped" ? await intercepted(proxy, socket, target, bounds) : undefined;
    } finally {
      tunnel.close();
    }
  } catch (error) {
    const closed = failureOf(error);
    return silent(proxy, noConnectionText(proxy, closed), isOfCertificate(closed.code ?? ""));
  }
};

/**
 * A response over plain HTTP that is not an error of the API: a proxy that does not forward a request sends its own.
 */
export const proxyResponse = (
  { proxy, baseUrl }: Target,
  response: ReceivedResponse,
  redact: (text: string) => string,
): PreflightStep | undefined => {
  if (proxy === undefined || !baseUrl.startsWith("http:") || response.status < 400 || isOfApi(response)) {
    return undefined;
  }
  return {
    ...stopped(`${proxyText(proxy)} probably answered in the server's place: ${responseText(response, redact)}`),
    advice: `Allow ${new URL(baseUrl).host} in the proxy's rules, and check that the proxy reaches it. ${aroundIt(proxy)}`,
  };
};

const stopped = (found: string) => ({ step: "connection", ok: false, stops: true, found }) as const;

/** `isForTrust`: TLS to the proxy failed because its certificate is not trusted. */
const silent = (proxy: Proxy, found: string, isForTrust = false): PreflightStep => ({
  ...stopped(found),
  advice: isForTrust
    ? "Name the certificate of the proxy's authority with --ca."
    : `Is the proxy running, and is its address right? ${aroundIt(proxy)}`,
});

const refused = (proxy: Proxy, { baseUrl }: Target, status: number, words: string): PreflightStep => {
  const said = `status ${status}${words === "" ? "" : ` "${words}"`}`;
  const { host } = new URL(baseUrl);
  if (status === 407 || (status === 401 && proxy.credentials !== undefined)) {
    return {
      ...stopped(
        proxy.credentials === undefined
          ? `${proxyText(proxy)} requires a username and a password: ${said}`
          : `${proxyText(proxy)} refused the username or the password: ${said}`,
      ),
      advice: "Put them into its address: http://user:password@host:port, with %40 for @ and %3A for : in them.",
    };
  }
  if (status >= 500) {
    return {
      ...stopped(`${proxyText(proxy)} does not reach ${host}: ${said}`),
      advice: `Is the server running, and is ${host} right? ${aroundIt(proxy)}`,
    };
  }
  return {
    ...stopped(`${proxyText(proxy)} refused the connection to ${host}: ${said}`),
    advice: `Allow ${host} in the proxy's rules. ${aroundIt(proxy)}`,
  };
};

/** A certificate that is not trusted suggests interception: whose certificate it is cannot be seen. */
const intercepted = async (
  proxy: Proxy,
  socket: Socket,
  target: Target,
  { timeout, signal }: Bounds,
): Promise<PreflightStep | undefined> => {
  const hostname = new URL(target.baseUrl).hostname.replace(/^\[|\]$/g, "");
  const secureContext = secureContextOf(target);
  const tls = connectTls({
    socket,
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    rejectUnauthorized: false,
    ...(secureContext === undefined ? {} : { secureContext }),
  });
  const issuer = await within(
    new Promise<string | Error>((resolve) => {
      tls.once("secureConnect", () => resolve(issuerOf(tls)));
      tls.once("error", resolve);
      tls.once("close", () => resolve(new Error("the connection was closed")));
    }),
    timeout,
    signal,
  );
  const isTrusted = tls.authorized;
  tls.destroy();
  if (isTrusted) return undefined;
  if (typeof issuer === "string") {
    return {
      step: "tls",
      ok: false,
      stops: true,
      found: `behind ${proxyText(proxy)} the certificate is not trusted: it was issued by ${cutTo(issuer, 100)}`,
      advice: `If that is the proxy's own authority, the proxy intercepts TLS: name its certificate with --ca. If it is the server's, name that. ${aroundIt(proxy)}`,
    };
  }
  return {
    ...stopped(
      `${proxyText(proxy)} answered in the server's place: what follows its agreement is not TLS (${issuer?.message ?? "no response"})`,
    ),
    advice: `Ask who runs the proxy to let TLS to ${new URL(target.baseUrl).host} pass. ${aroundIt(proxy)}`,
  };
};

const aroundIt = ({ from }: Proxy): string =>
  /^https?_proxy$/i.test(from)
    ? "If the server can be reached without it, name the host in NO_PROXY."
    : `If the server can be reached without it, take out ${from}.`;

/** What the proxy says besides the status. */
const wordsOf = async (socket: Socket, { signal, redact }: Bounds): Promise<string> => {
  const chunks: Buffer[] = [];
  await within(
    new Promise<void>((resolve) => {
      socket.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        if (chunks.length > 16) resolve();
      });
      socket.once("end", resolve).once("close", resolve);
    }),
    longestWords,
    signal,
  );
  return cutTo(redact(pageText(Buffer.concat(chunks))), 160);
};

/** Milliseconds in which a proxy says why it refuses. */
const longestWords = 300;

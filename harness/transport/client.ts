import type { Socket } from "node:net";
import type { Dispatcher } from "undici";
import { fieldsOf, type ReceivedResponse, type Fields } from "../../model/exchange.ts";
import { proxyText, type Proxy } from "../../model/network.ts";
import type { Target } from "../../model/target.ts";
import { bodyOf } from "./body.ts";
import { dispatcherOf, plainDispatcherOf } from "./connections.ts";
import { deadlineIn } from "./deadline.ts";
import { failureOf, type NetworkFailure } from "./network-failure.ts";

export type { NetworkFailure };

/** A request as it is sent. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, verbatim. */
  readonly path: string;
  readonly headers: Fields;
  readonly body: Uint8Array | undefined;
}

export type Sent =
  | { readonly response: ReceivedResponse; readonly failure?: never }
  | { readonly failure: NetworkFailure; readonly response?: never };

/** The one place that touches the network. */
export interface Client {
  /** Sends on the shared pool, or on a new connection if `fresh` is set. Throws only ForbiddenRequest. */
  readonly send: (
    request: HttpRequest,
    options?: { readonly fresh?: boolean; readonly timeout?: number },
  ) => Promise<Sent>;
  /** Sends over plain HTTP to the same host and port, whatever the scheme of the base URL. */
  readonly sendPlain: (request: HttpRequest) => Promise<Sent>;
  readonly close: () => Promise<void>;
}

/** Bounds of the client. Milliseconds and bytes. */
export interface ClientBounds {
  readonly connections: number;
  readonly timeout: number;
  readonly maxBody: number;
  /** Called with each socket to the target, after the TLS handshake if there is one. */
  readonly onSocket?: (socket: Socket) => void;
  /** Aborts everything that is in flight. */
  readonly signal: AbortSignal;
  /** The only requests that may be sent, with paths below the base path; absent: all. */
  readonly only?: readonly { readonly method: string; readonly path: string }[] | undefined;
}

/** A request that the profile forbids: an internal error, never a failure of the target. */
export class ForbiddenRequest extends Error {
  override readonly name = "ForbiddenRequest";
}

/** A client for the target. Certificates are checked against the system's and `target.ca`. */
export const createClient = (target: Target, bounds: ClientBounds): Client => {
  const { origin, pathname } = new URL(target.baseUrl);
  const pool = dispatcherOf(target, bounds);

  const guard = (request: HttpRequest): void => {
    if (bounds.only === undefined) return;
    const path = (request.path.split("?")[0] ?? "").slice(pathname.replace(/\/+$/, "").length);
    if (bounds.only.some((allowed) => allowed.method === request.method && allowed.path === path)) return;
    throw new ForbiddenRequest(`the profile does not allow ${request.method} ${request.path}`);
  };

  const exchange = async (dispatcher: Dispatcher, to: string, request: HttpRequest, timeout: number): Promise<Sent> => {
    const sent = await exchangeOn(dispatcher, to, request, { ...bounds, timeout });
    return sent.failure === undefined ? sent : { failure: throughProxy(sent.failure, target) };
  };

  const alone = async (
    dispatcher: Dispatcher,
    to: string,
    request: HttpRequest,
    timeout = bounds.timeout,
  ): Promise<Sent> => {
    try {
      return await exchange(dispatcher, to, request, timeout);
    } finally {
      dispatcher.destroy().catch(() => undefined);
    }
  };

  return {
    send: async (request, { fresh = false, timeout = bounds.timeout } = {}) => {
      guard(request);
      if (!fresh) return exchange(pool, origin, request, timeout);
      return alone(dispatcherOf(target, { ...bounds, connections: 1 }), origin, request, timeout);
    },
    sendPlain: async (request) => {
      guard(request);
      return alone(plainDispatcherOf(target, bounds), origin.replace(/^https:/, "http:"), request);
    },
    close: () => pool.destroy(),
  };
};

/** With a proxy, a connection that cannot be made is the connection to the proxy. */
const throughProxy = (failure: NetworkFailure, { proxy }: Target): NetworkFailure =>
  proxy === undefined || failure.kind !== "connect"
    ? failure
    : { ...failure, kind: "proxy", message: noConnectionText(proxy, failure) };

/** Says that a proxy does not let a connection through. */
export const noConnectionText = (proxy: Proxy, { message }: Pick<NetworkFailure, "message">): string =>
  `${proxyText(proxy)} gives no connection: ${message}`;

const exchangeOn = async (
  dispatcher: Dispatcher,
  origin: string,
  request: HttpRequest,
  bounds: ClientBounds,
): Promise<Sent> => {
  const started = performance.now();
  const deadline = deadlineIn(bounds.timeout, bounds.signal);
  const since = (): number => performance.now() - started;
  try {
    const response = await dispatcher.request({
      origin,
      method: request.method,
      path: request.path,
      headers: request.headers.flat(),
      body: request.body ?? null,
      signal: deadline.signal,
      responseHeaders: "raw",
    });
    const waited = since();
    const headers = fieldsOf(response.headers as unknown as readonly string[]);
    const { bytes, defect } = await bodyOf(response.body, headers, bounds.maxBody);
    if (defect?.kind === "cut" && bounds.signal.aborted) return failed("aborted", stopped, since());
    if (defect?.kind === "cut" && deadline.signal.aborted) return failed("timeout", lateBody(bounds.timeout), since());
    return {
      response: {
        status: response.statusCode,
        statusText: response.statusText ?? "",
        headers,
        body: bytes,
        waited,
        took: since(),
        ...(defect === undefined ? {} : { defect }),
      },
    };
  } catch (error) {
    if (bounds.signal.aborted) return failed("aborted", stopped, since());
    if (deadline.signal.aborted) return failed("timeout", `no response within ${bounds.timeout} ms`, since());
    return { failure: { ...failureOf(error), took: since() } };
  } finally {
    deadline.clear();
  }
};

const stopped = "the run was stopped";

const lateBody = (timeout: number): string => `the response had not ended after ${timeout} ms`;

const failed = (kind: NetworkFailure["kind"], message: string, took: number): Sent => ({
  failure: { kind, message, took },
});

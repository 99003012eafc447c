import { Client as Connection, Pool, buildConnector, type Dispatcher } from "undici";
import type { ReceivedResponse, Fields } from "../../model/exchange.ts";
import type { Target } from "../../model/target.ts";
import { bodyOf } from "./body.ts";
import { deadlineIn } from "./deadline.ts";
import { withoutInterim } from "./interim.ts";
import { failureOf, type NetworkFailure } from "./network-failure.ts";
import { trustOf } from "./trust.ts";

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
  /** Sends on the shared pool, or on a connection of its own where `fresh` is set. Throws ForbiddenRequest alone. */
  readonly send: (request: HttpRequest, options?: { readonly fresh?: boolean }) => Promise<Sent>;
  /** Sends over plain HTTP to the same host and port, whatever the scheme of the base URL. */
  readonly sendPlain: (request: HttpRequest) => Promise<Sent>;
  readonly close: () => Promise<void>;
}

/** Bounds of the client. Milliseconds and bytes. */
export interface ClientBounds {
  readonly connections: number;
  readonly timeout: number;
  readonly maxBody: number;
  /** Ends everything that is under way. */
  readonly signal: AbortSignal;
  /** The only requests that may be sent, with paths below the base path; absent: all. */
  readonly only?: readonly { readonly method: string; readonly path: string }[] | undefined;
}

/** A request that the profile forbids: an internal error, never a failure of the target. */
export class ForbiddenRequest extends Error {
  override readonly name = "ForbiddenRequest";
}

/** Legal servers send long headers (tokens of 4 KB in cookies); a megabyte of them is not legal. */
const maxHeaderSize = 256 * 1024;

/** A client for the target. Certificates are checked against the system's and `target.ca`. */
export const createClient = (target: Target, bounds: ClientBounds): Client => {
  const origin = new URL(target.baseUrl).origin;
  const options = {
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize,
    pipelining: 1,
    connect: connectorFor(target, bounds),
  };
  const pool = new Pool(origin, { ...options, connections: bounds.connections, keepAliveTimeout: 4000 });

  const guard = (request: HttpRequest): void => {
    if (bounds.only === undefined) return;
    const path = (request.path.split("?")[0] ?? "").slice(new URL(target.baseUrl).pathname.replace(/\/+$/, "").length);
    if (bounds.only.some((allowed) => allowed.method === request.method && allowed.path === path)) return;
    throw new ForbiddenRequest(`the profile does not allow ${request.method} ${request.path}`);
  };

  const alone = async (to: string, request: HttpRequest, connect: typeof options.connect): Promise<Sent> => {
    const client = new Connection(to, { ...options, connect });
    try {
      return await exchangeOn(client, request, bounds);
    } finally {
      client.destroy().catch(() => undefined);
    }
  };

  return {
    send: async (request, { fresh = false } = {}) => {
      guard(request);
      return fresh ? alone(origin, request, options.connect) : exchangeOn(pool, request, bounds);
    },
    sendPlain: async (request) => {
      guard(request);
      const plain = new URL(origin);
      const port = plain.port || (plain.protocol === "https:" ? "443" : "80");
      return alone(`http://${plain.hostname}:${port}`, request, buildConnector({ timeout: bounds.timeout }));
    },
    close: () => pool.destroy(),
  };
};

const connectorFor = (target: Target, bounds: ClientBounds): buildConnector.connector => {
  const secureContext = trustOf(target.ca);
  return withoutInterim(
    buildConnector({
      timeout: bounds.timeout,
      rejectUnauthorized: !target.insecure,
      ...(secureContext === undefined ? {} : { secureContext }),
      allowH2: false,
    }),
  );
};

const exchangeOn = async (dispatcher: Dispatcher, request: HttpRequest, bounds: ClientBounds): Promise<Sent> => {
  const started = performance.now();
  const deadline = deadlineIn(bounds.timeout);
  const signal = AbortSignal.any([deadline.signal, bounds.signal]);
  const since = (): number => performance.now() - started;
  try {
    const response = await dispatcher.request({
      method: request.method,
      path: request.path,
      headers: request.headers.flat(),
      body: request.body ?? null,
      signal,
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
    return failed(...failureOf(error), since());
  } finally {
    deadline.clear();
  }
};

const stopped = "the run was stopped";

const lateBody = (timeout: number): string => `the response had not ended after ${timeout} ms`;

const failed = (kind: NetworkFailure["kind"], message: string, took: number): Sent => ({
  failure: { kind, message, took },
});

const fieldsOf = (raw: readonly string[]): Fields => {
  const fields: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) fields.push([String(raw[i]), String(raw[i + 1])]);
  return fields;
};

import type { Socket } from "node:net";
import type { Dispatcher } from "undici";
import { fieldsOf, type ReceivedResponse, type Fields, type BodyDefect } from "../../model/exchange.ts";
import { proxyText } from "../../model/network.ts";
import type { Target } from "../../model/target.ts";
import { dispatcherOf, plainDispatcherOf } from "./connections.ts";
import { failureOf, type NetworkFailure } from "./network-failure.ts";
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";

export type { NetworkFailure };

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Fields;
  readonly body: Uint8Array | undefined;
}

export type Sent =
  | { readonly response: ReceivedResponse; readonly failure?: never }
  | { readonly failure: NetworkFailure; readonly response?: never };

export type Client = ReturnType<typeof createClient>;

/** Bounds of the client. Milliseconds and bytes. */
export interface ClientBounds {
  readonly connections: number;
  readonly timeout: number;
  readonly maxBody: number;
  readonly onSocket?: (socket: Socket) => void;
  readonly signal: AbortSignal;
  /** The only requests that may be sent, with paths below the base path; absent: all. */
  readonly only?: readonly { readonly method: string; readonly path: string }[] | undefined;
}

/** A request that the profile forbids: an internal error, never a failure of the target. */
export class ForbiddenRequest extends Error {
  override readonly name = "ForbiddenRequest";
}

/** The one place that touches the network. Certificates are checked against the system's and `target.ca`. */
export const createClient = (target: Target, bounds: ClientBounds) => {
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

  const alone = async (dispatcher: Dispatcher, to: string, request: HttpRequest, timeout = bounds.timeout) => {
    try {
      return await exchange(dispatcher, to, request, timeout);
    } finally {
      dispatcher.destroy().catch(() => undefined);
    }
  };

  return {
    /** Sends on the shared pool, or on a new connection if `fresh` is set. Throws only ForbiddenRequest. */
    send: async (
      request: HttpRequest,
      { fresh = false, timeout = bounds.timeout }: { readonly fresh?: boolean; readonly timeout?: number } = {},
    ): Promise<Sent> => {
      guard(request);
      if (!fresh) return exchange(pool, origin, request, timeout);
      return alone(dispatcherOf(target, { ...bounds, connections: 1 }), origin, request, timeout);
    },
    /** Sends over plain HTTP to the same host and port, whatever the scheme of the base URL. */
    sendPlain: async (request: HttpRequest): Promise<Sent> => {
      guard(request);
      return alone(plainDispatcherOf(target, bounds), origin.replace(/^https:/, "http:"), request);
    },
    close: (): Promise<void> => pool.destroy(),
  };
};

/** With a proxy, a connection that cannot be made is the connection to the proxy. */
const throughProxy = (failure: NetworkFailure, { proxy }: Target): NetworkFailure =>
  proxy === undefined || failure.kind !== "connect"
    ? failure
    : { ...failure, kind: "proxy", message: `${proxyText(proxy)} gives no connection: ${failure.message}` };

const exchangeOn = async (dispatcher: Dispatcher, origin: string, request: HttpRequest, bounds: ClientBounds) => {
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

export interface ReadBody {
  readonly bytes: Uint8Array;
  readonly defect?: BodyDefect;
}

/** Reads at most `maxBody` bytes, before and after content decoding. */
export const bodyOf = async (
  stream: AsyncIterable<Uint8Array> & {
    destroy: (error?: Error) => unknown;
    on: (event: "error", f: () => void) => unknown;
  },
  headers: Fields,
  maxBody: number,
): Promise<ReadBody> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let defect: BodyDefect | undefined;
  try {
    for await (const chunk of stream) {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBody) {
        defect = { kind: "too large", text: `the body is larger than ${maxBody} bytes` };
        break;
      }
    }
  } catch (error) {
    defect = { kind: "cut", text: `the body ended early: ${(error as Error).message}` };
  }
  if (defect !== undefined) {
    stream.on("error", () => undefined);
    stream.destroy();
  }
  const raw = Buffer.concat(chunks).subarray(0, maxBody);
  return defect === undefined ? decodedBody(raw, headers, maxBody) : { bytes: raw, defect };
};

/** A body without its content codings (RFC 9110, 8.4). */
export const decodedBody = (raw: Buffer, headers: Fields, maxBody: number): ReadBody => {
  const codings = headers
    .filter(([name]) => name.toLowerCase() === "content-encoding")
    .flatMap(([, value]) => value.split(","))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  let bytes = raw;
  for (const coding of raw.length === 0 ? [] : codings.reverse()) {
    const decode = decoders.get(coding);
    if (decode === undefined)
      return {
        bytes,
        defect: { kind: "coding", text: `the content coding ${coding} was not accepted in the request` },
      };
    try {
      bytes = decode(bytes, { maxOutputLength: maxBody });
    } catch (error) {
      const isTooLarge = (error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE";
      const text = `the body is larger than ${maxBody} bytes after decoding`;
      return {
        bytes: Buffer.alloc(0),
        defect: isTooLarge
          ? { kind: "too large", text }
          : { kind: "coding", text: `the ${coding} coding of the body is broken` },
      };
    }
  }
  return { bytes };
};

type Decode = (bytes: Buffer, bound: { readonly maxOutputLength: number }) => Buffer;

/** Some implementations leave the zlib wrapper out (RFC 9110, 8.4.1.2), which begins with the method: 8. */
const inflated: Decode = (bytes, bound) =>
  ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync(bytes, bound) : inflateRawSync(bytes, bound);

const decoders = new Map<string, Decode>([
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  ["deflate", inflated],
  ["br", brotliDecompressSync],
]);

/** Aborts after so many milliseconds, or when `stop` aborts. What arrived while this thread was busy is read first. */
export const deadlineIn = (
  ms: number,
  stop: AbortSignal,
): { readonly signal: AbortSignal; readonly clear: () => void } => {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (stop.aborted) abort();
  stop.addEventListener("abort", abort);
  // In a turn of the event loop, timers run before sockets are read, and immediates after.
  const timer = setTimeout(() => setImmediate(abort), ms);
  const clear = (): void => {
    clearTimeout(timer);
    stop.removeEventListener("abort", abort);
  };
  return { signal: controller.signal, clear };
};

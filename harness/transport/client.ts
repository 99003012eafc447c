import type { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { fieldsOf, type ReceivedResponse, type Fields, type BodyDefect } from "../../model/exchange.ts";
import { defined } from "../../model/defined.ts";
import { portOf, proxyText, type Proxy } from "../../model/network.ts";
import type { Target } from "../../model/target.ts";
import { dispatcherOf, type ConnectionBounds } from "./connections.ts";
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
export interface ClientBounds extends ConnectionBounds {
  readonly maxBody: number;
  readonly signal: AbortSignal;
}

export interface SendOptions {
  readonly isFresh?: boolean;
  readonly isPlain?: boolean;
  readonly timeout?: number;
}

/** The one place that touches the network. Certificates are checked against the system's and `target.ca`. */
export const createClient = (target: Target, bounds: ClientBounds) => {
  const { origin, hostname, port, protocol } = new URL(target.baseUrl);
  const plain = `http://${hostname}:${portOf({ port, protocol })}`;
  const pool = dispatcherOf(target, bounds);
  const alone = async (dispatcher: Dispatcher, to: string, request: HttpRequest, own: ClientBounds): Promise<Sent> => {
    try {
      return await exchangeOn(dispatcher, to, request, own, target.proxy);
    } finally {
      dispatcher.destroy().catch(() => undefined);
    }
  };
  return {
    /** Sends on the shared pool or on a new connection; over plain HTTP through no proxy. Never throws. */
    send: (
      request: HttpRequest,
      { isFresh = false, isPlain = false, timeout = bounds.timeout }: SendOptions = {},
    ): Promise<Sent> => {
      const own = { ...bounds, timeout, connections: 1 };
      if (isPlain) return alone(dispatcherOf({ baseUrl: plain, insecure: false }, own), plain, request, own);
      if (!isFresh) return exchangeOn(pool, origin, request, own, target.proxy);
      return alone(dispatcherOf(target, own), origin, request, own);
    },
    close: (): Promise<void> => pool.destroy(),
  };
};

const exchangeOn = async (
  dispatcher: Dispatcher,
  origin: string,
  request: HttpRequest,
  { timeout, signal, maxBody }: ClientBounds,
  proxy: Proxy | undefined,
): Promise<Sent> => {
  const started = performance.now();
  const deadline = deadlineIn(timeout, signal);
  const since = (): number => performance.now() - started;
  /** Why this side gave up; undefined if the other side ended the exchange. */
  const givenUp = (late: string): NetworkFailure | undefined => {
    if (signal.aborted) return { kind: "aborted", message: "the run was stopped", took: since() };
    return deadline.signal.aborted ? { kind: "timeout", message: late, took: since() } : undefined;
  };
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
    const { bytes: body, defect } = await bodyOf(response.body, headers, maxBody);
    const failure = defect?.kind === "cut" ? givenUp(`the response had not ended after ${timeout} ms`) : undefined;
    if (failure !== undefined) return { failure };
    const { statusCode: status, statusText } = response;
    const took = since();
    return { response: { status, statusText: statusText ?? "", headers, body, waited, took, ...defined({ defect }) } };
  } catch (error) {
    const failure = givenUp(`no response within ${timeout} ms`);
    return { failure: failure ?? { ...throughProxy(failureOf(error), proxy), took: since() } };
  } finally {
    deadline.clear();
  }
};

/** With a proxy, a connection that cannot be made is the connection to the proxy. */
const throughProxy = <T extends Pick<NetworkFailure, "kind" | "message">>(failure: T, proxy: Proxy | undefined): T =>
  proxy === undefined || failure.kind !== "connect"
    ? failure
    : { ...failure, kind: "proxy", message: `${proxyText(proxy)} gives no connection: ${failure.message}` };

export interface ReadBody {
  readonly bytes: Uint8Array;
  readonly defect?: BodyDefect;
}

/** Reads at most `maxBody` bytes, before and after content decoding. */
const bodyOf = async (stream: Readable, headers: Fields, maxBody: number): Promise<ReadBody> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let defect: BodyDefect | undefined;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
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
      return { bytes, ...coded(`the content coding ${coding} was not accepted in the request`) };
    try {
      bytes = decode(bytes, { maxOutputLength: maxBody });
    } catch (error) {
      const isTooLarge = (error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE";
      const text = `the body is larger than ${maxBody} bytes after decoding`;
      const defect = { kind: "too large", text } as const;
      return {
        bytes: Buffer.alloc(0),
        ...(isTooLarge ? { defect } : coded(`the ${coding} coding of the body is broken`)),
      };
    }
  }
  return { bytes };
};

const coded = (text: string): Pick<ReadBody, "defect"> => ({ defect: { kind: "coding", text } });

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

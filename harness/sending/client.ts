import type { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { beginningOf, fieldOf, fieldsOf, readableBody } from "../../model/exchange.ts";
import type { BodyDefect, NetworkFailure, Sent } from "../../model/exchange.ts";
import type { Fields } from "../../model/request.ts";
import { bounds as most } from "../../model/bounds.ts";
import { defined } from "../../model/defined.ts";
import { portOf, proxyText, type Proxy } from "../../model/network.ts";
import type { Target } from "../../model/target.ts";
import { createBodyBudget, createSharing, type BodyBudget } from "./body-budget.ts";
import { dispatcherOf, type ConnectionBounds } from "./connections.ts";
import { failureOf } from "./network-failure.ts";
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Fields;
  readonly body: Uint8Array | undefined;
}

export type Client = ReturnType<typeof createClient>;

/** The bounds of a client, in milliseconds and bytes. */
export interface ClientBounds extends ConnectionBounds {
  readonly maxBody: number;
  readonly signal: AbortSignal;
}

export interface SendOptions {
  readonly isFresh?: boolean;
  readonly isPlain?: boolean;
  /** Send on a connection that other requests do not use, and that stays open while it is idle. */
  readonly isSpare?: boolean;
  readonly timeout?: number;
}

/**
 * How long the spare connection stays open while it is idle, in milliseconds, unless the server
 * closes it.
 */
const longestIdle = 600_000;

/**
 * Sends requests; no other code does. The certificate of the server is checked against those of the
 * system and `target.ca`.
 */
export function createClient(target: Target, bounds: ClientBounds) {
  const { origin, hostname, port, protocol } = new URL(target.baseUrl);
  const plain = `http://${hostname}:${portOf({ port, protocol })}`;
  const pool = dispatcherOf(target, bounds);
  const bodies = { budget: createBodyBudget(), shared: createSharing() };
  let spare: Dispatcher | undefined;
  const spareConnection = (): Dispatcher =>
    (spare ??= dispatcherOf(target, { ...bounds, connections: 1, keepAlive: longestIdle }));
  const alone = async (
    dispatcher: Dispatcher,
    to: string,
    request: HttpRequest,
    own: ClientBounds,
  ): Promise<Sent> => {
    try {
      return await exchangeOn(dispatcher, to, request, { ...own, ...bodies }, target.proxy);
    } finally {
      dispatcher.destroy().catch(() => undefined);
    }
  };
  return {
    /**
     * Sends on the shared pool, on the spare connection or on a new one. Plain HTTP uses no proxy.
     * Never throws.
     */
    send: (
      request: HttpRequest,
      {
        isFresh = false,
        isPlain = false,
        isSpare = false,
        timeout = bounds.timeout,
      }: SendOptions = {},
    ): Promise<Sent> => {
      const own = { ...bounds, timeout, connections: 1 };
      if (isPlain)
        return alone(dispatcherOf({ baseUrl: plain, insecure: false }, own), plain, request, own);
      const shared = isSpare ? spareConnection() : pool;
      if (!isFresh) return exchangeOn(shared, origin, request, { ...own, ...bodies }, target.proxy);
      return alone(dispatcherOf(target, own), origin, request, own);
    },
    close: async (): Promise<void> => {
      await Promise.all([pool.destroy(), spare?.destroy()]);
    },
  };
}

/**
 * What all exchanges of a client share: the memory for large bodies, and the large bodies received
 * before (`createSharing`).
 */
interface Bodies {
  readonly budget: BodyBudget;
  readonly shared: (body: Uint8Array) => Uint8Array;
}

async function exchangeOn(
  dispatcher: Dispatcher,
  origin: string,
  request: HttpRequest,
  { timeout, signal, maxBody, budget, shared }: ClientBounds & Bodies,
  proxy: Proxy | undefined,
): Promise<Sent> {
  const started = performance.now();
  const deadline = deadlineIn(timeout, signal);
  let held = 0;
  const since = (): number => performance.now() - started - held;
  let part: ReturnType<BodyBudget["part"]> | undefined;
  /** Waits until this many bytes may be read. The wait does not count as time of the server. */
  const reserve = async (bytes: number): Promise<void> => {
    if (bytes <= most.largeBody) return;
    part ??= budget.part();
    if (part.has(bytes)) return;
    const before = performance.now();
    deadline.pause();
    await part.take(bytes);
    deadline.resume();
    held += performance.now() - before;
  };
  /**
   * The failure if this side gave up, because the run was stopped or the time was over. Undefined
   * if the other side ended the exchange.
   */
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
    const { bytes, defect: misread } = await bodyOf(response.body, headers, maxBody, reserve);
    const readable = misread === undefined ? readableBody(bytes) : { body: bytes };
    const { defect = misread } = readable;
    const body = readable.body.length < most.largeBody ? readable.body : shared(readable.body);
    const failure =
      defect?.kind === "cut"
        ? givenUp(`the response had not ended after ${timeout} ms`)
        : undefined;
    if (failure !== undefined) return { failure };
    const { statusCode: status, statusText } = response;
    const took = since();
    return {
      response: {
        status,
        statusText: statusText ?? "",
        headers,
        body,
        waited,
        took,
        ...defined({ defect }),
      },
    };
  } catch (error) {
    const failure = givenUp(`no response within ${timeout} ms`);
    return { failure: failure ?? { ...throughProxy(failureOf(error), proxy), took: since() } };
  } finally {
    deadline.clear();
    part?.giveBack();
  }
}

/**
 * Names the proxy in a failure to connect, because with a proxy, the failed connection is the one
 * to the proxy. Returns any other failure as it is.
 */
function throughProxy<T extends Pick<NetworkFailure, "kind" | "message">>(
  failure: T,
  proxy: Proxy | undefined,
): T {
  return proxy === undefined || failure.kind !== "connect"
    ? failure
    : {
        ...failure,
        kind: "proxy",
        message: `${proxyText(proxy)} gives no connection: ${failure.message}`,
      };
}

export interface ReadBody {
  readonly bytes: Uint8Array;
  readonly defect?: BodyDefect;
}

/**
 * Reads at most `maxBody` bytes, before and after content decoding. `reserve` waits until memory is
 * free for them.
 */
async function bodyOf(
  stream: Readable,
  headers: Fields,
  maxBody: number,
  reserve: (bytes: number) => Promise<void>,
): Promise<ReadBody> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let defect: BodyDefect | undefined;
  // Twice the size: the chunks, and the body that is made of them.
  const expected = 2 * Math.min(maxBody, lengthIn(headers) ?? maxBody);
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBody) {
        defect = { kind: "too large", text: `the body is larger than ${maxBody} bytes` };
        break;
      }
      if (size > most.largeBody) await reserve(expected);
    }
  } catch (error) {
    defect = { kind: "cut", text: `the body ended early: ${(error as Error).message}` };
  }
  if (defect !== undefined) {
    stream.on("error", () => undefined);
    stream.destroy();
  }
  const raw = Buffer.concat(chunks, Math.min(size, maxBody));
  if (defect?.kind === "too large") return { bytes: beginningOf(raw), defect };
  if (defect !== undefined) return { bytes: raw, defect };
  await reserve(decodedSize(raw, headers, maxBody));
  return decodedBody(raw, headers, maxBody);
}

/** The Content-Length in the headers. Undefined if there is none, or if it is not a number. */
function lengthIn(headers: Fields): number | undefined {
  const length = fieldOf(headers, "content-length") ?? "";
  return /^\d+$/.test(length) ? Number(length) : undefined;
}

/**
 * The most bytes that a body needs, encoded and decoded together. 0 if it has no content coding.
 */
function decodedSize(raw: Buffer, headers: Fields, maxBody: number): number {
  return codingsIn(headers).length === 0
    ? 0
    : raw.length + 2 * Math.min(maxBody, raw.length * mostSwelling);
}

/**
 * The largest factor by which gzip or deflate shrinks a body. Brotli shrinks more, but few servers
 * use it unasked.
 */
const mostSwelling = 1032;

/**
 * The body without its content codings (RFC 9110, 8.4). Returns a defect with it if a coding is
 * unknown or broken, or if the decoded body is larger than `maxBody` bytes.
 */
export function decodedBody(raw: Buffer, headers: Fields, maxBody: number): ReadBody {
  let bytes = raw;
  for (const coding of raw.length === 0 ? [] : codingsIn(headers).toReversed()) {
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
}

function codingsIn(headers: Fields): readonly string[] {
  return headers
    .filter(([name]) => name.toLowerCase() === "content-encoding")
    .flatMap(([, value]) => value.split(","))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
}

const coded = (text: string): Pick<ReadBody, "defect"> => ({ defect: { kind: "coding", text } });

type Decode = (bytes: Buffer, bound: { readonly maxOutputLength: number }) => Buffer;

/**
 * Decodes `deflate` with or without its zlib wrapper, which some implementations leave out (RFC
 * 9110, 8.4.1.2). The wrapper begins with the number of its method: 8.
 */
const inflated: Decode = (bytes, bound) =>
  ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync(bytes, bound) : inflateRawSync(bytes, bound);

const decoders = new Map<string, Decode>([
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  ["deflate", inflated],
  ["br", brotliDecompressSync],
]);

export interface Deadline {
  readonly signal: AbortSignal;
  /** Stops the clock until `resume` starts it again. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly clear: () => void;
}

/**
 * A signal that aborts after `ms` milliseconds, or when `stop` aborts. Data that arrived while this
 * thread was busy is read before the time-out aborts.
 */
export function deadlineIn(ms: number, stop: AbortSignal): Deadline {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  let left = ms;
  let since = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const pause = (): void => {
    clearTimeout(timer);
    left -= performance.now() - since;
  };
  const resume = (): void => {
    since = performance.now();
    // The event loop runs timers before it reads sockets, and immediates after that.
    timer = setTimeout(() => setImmediate(abort), left);
  };
  if (stop.aborted) abort();
  stop.addEventListener("abort", abort);
  resume();
  const clear = (): void => {
    clearTimeout(timer);
    stop.removeEventListener("abort", abort);
  };
  return { signal: controller.signal, pause, resume, clear };
}

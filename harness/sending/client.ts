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
import * as zlib from "node:zlib";

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
  const bodies = { budget: createBodyBudget(bounds.signal), shared: createSharing() };
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

const stopped = { kind: "aborted", message: "the run was stopped" } as const;

async function exchangeOn(
  dispatcher: Dispatcher,
  origin: string,
  request: HttpRequest,
  { timeout, signal, maxBody, budget, shared }: ClientBounds & Bodies,
  proxy: Proxy | undefined,
): Promise<Sent> {
  const started = performance.now();
  if (signal.aborted) return { failure: { ...stopped, took: 0 } };
  let giveUp = (): void => undefined;
  const deadline = deadlineIn(timeout, signal, () => giveUp());
  let waited = 0;
  const since = (): number => performance.now() - started - waited;
  let part: ReturnType<BodyBudget["part"]> | undefined;
  /**
   * Resolves when this many bytes may be read. Undefined if they may be read at once. The wait does
   * not count as time of the server.
   */
  const reserve: Reserve = (bytes) => {
    if (bytes <= most.largeBody) return undefined;
    part ??= budget.part();
    if (part.has(bytes)) return undefined;
    const before = performance.now();
    deadline.pause();
    return part.take(bytes).then(() => {
      deadline.resume();
      waited += performance.now() - before;
    });
  };
  /**
   * The failure if this side gave up, because the run was stopped or the time was over. Undefined
   * if the other side ended the exchange.
   */
  const givenUp = (late: string): NetworkFailure | undefined => {
    if (signal.aborted) return { ...stopped, took: since() };
    return deadline.isOver() ? { kind: "timeout", message: late, took: since() } : undefined;
  };
  try {
    const received = await new Promise<Received>((resolve, reject) => {
      const collector = collectorOf({ maxBody, reserve, since, resolve, reject });
      giveUp = collector.giveUp;
      dispatcher.dispatch(
        {
          origin,
          method: request.method,
          path: request.path,
          headers: request.headers.flat(),
          body: request.body ?? null,
        },
        collector.handler,
      );
    });
    const { status, statusText, headers, waited: untilHead } = received;
    const { bytes, defect: misread } = await bodyOf(received, maxBody, reserve);
    const readable = misread === undefined ? readableBody(bytes) : { body: bytes };
    const { defect = misread } = readable;
    const body = readable.body.length < most.largeBody ? readable.body : shared(readable.body);
    const failure =
      defect?.kind === "cut"
        ? givenUp(`the response had not ended after ${timeout} ms`)
        : undefined;
    if (failure !== undefined) return { failure };
    const took = since();
    const held = part;
    part = undefined;
    return {
      ...(held !== undefined && { letGo: held.giveBack }),
      response: {
        status,
        statusText,
        headers,
        body,
        waited: untilHead,
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

/** Resolves when this many bytes may be read. Undefined if they may be read at once. */
type Reserve = (bytes: number) => Promise<void> | undefined;

/** A response as it came, with at most `maxBody` bytes of its body. */
interface Received {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Fields;
  readonly waited: number;
  readonly raw: Buffer;
  readonly defect?: BodyDefect;
}

interface Collecting {
  readonly maxBody: number;
  readonly reserve: Reserve;
  /** The time of the server so far, in milliseconds. */
  readonly since: () => number;
  readonly resolve: (received: Received | Promise<Received>) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Collects a response. `handler` takes what undici reads: a stream and an AbortSignal for each
 * request would take several times as long. `giveUp` ends the exchange.
 */
function collectorOf({ maxBody, reserve, since, resolve, reject }: Collecting) {
  const body = collectedBody(maxBody);
  let head: Omit<Received, "raw"> | undefined;
  let connection: Dispatcher.DispatchController | undefined;
  let isGivenUp = false;
  let wait: Promise<void> | undefined;
  const end = (defect?: BodyDefect): void => {
    if (head === undefined) return reject(new Error("the response has no beginning"));
    const received = {
      ...head,
      raw: body.bytes(),
      ...defined({ defect }),
    };
    // While the body waits for memory, the exchange does not end, so that it can give the memory
    // back.
    resolve(wait === undefined ? received : wait.then(() => received));
  };
  const giveUp = (): void => {
    isGivenUp = true;
    connection?.abort(new Error("this side has given up"));
  };
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (controller) => {
      connection = controller;
      if (isGivenUp) giveUp();
    },
    onResponseStart: ({ rawHeaders }, status, _, statusText = "") => {
      // Interim responses say nothing of the request.
      if (status < 200) return;
      const raw = rawHeaders as readonly Buffer[];
      const headers = fieldsOf(raw.map((text) => text.toString("latin1")));
      head = { status, statusText, headers, waited: since() };
    },
    onResponseData: (controller, chunk) => {
      const length = lengthIn(head?.headers ?? []);
      const size = body.add(chunk, length);
      if (size > maxBody) {
        end({ kind: "too large", text: `the body is larger than ${maxBody} bytes` });
        controller.abort(new Error("the body is too large"));
      } else if (size > most.largeBody) {
        // Twice the size: the body, and the text that is made of it.
        wait = reserve(2 * Math.min(maxBody, length ?? maxBody));
        if (wait === undefined) return;
        controller.pause();
        // Without memory, the run has ended, and this exchange with it.
        void wait.then(
          () => controller.resume(),
          () => undefined,
        );
      }
    },
    onResponseEnd: () => end(),
    onResponseError: (_, error) => {
      if (head === undefined) reject(error);
      else end({ kind: "cut", text: `the body ended early: ${error.message}` });
    },
  };
  return { handler, giveUp };
}

/**
 * Collects the bytes of a body, of which at most `maxBody` are kept. A large body whose length is
 * known is in memory only once.
 */
function collectedBody(maxBody: number) {
  let chunks: Buffer[] = [];
  /** Small parts are copied, as each would take more memory than its bytes. */
  let room = Buffer.alloc(0);
  let filled = 0;
  const copied = (): Buffer[] => {
    if (filled > 0) chunks.push(room.subarray(0, filled));
    room = room.subarray(filled);
    filled = 0;
    return chunks;
  };
  const keep = (chunk: Buffer): void => {
    if (chunk.length >= most.smallPart) return void copied().push(chunk);
    if (filled + chunk.length > room.length) {
      copied();
      room = Buffer.allocUnsafe(Math.max(chunk.length, Math.min(size, most.largeBody)));
    }
    chunk.copy(room, filled);
    filled += chunk.length;
  };
  let whole: Buffer | undefined;
  let size = 0;
  return {
    /** Adds a part, and returns the size so far. `length`: that of the whole body, if it is known. */
    add: (chunk: Buffer, length = Infinity): number => {
      const before = size;
      size += chunk.length;
      if (whole === undefined && size > most.largeBody && size <= length && length <= maxBody) {
        whole = Buffer.allocUnsafe(length);
        Buffer.concat(copied()).copy(whole);
        chunks = [];
        room = Buffer.alloc(0);
      }
      if (whole === undefined) keep(chunk);
      else chunk.copy(whole, before);
      return size;
    },
    bytes: (): Buffer =>
      whole?.subarray(0, size) ?? Buffer.concat(copied(), Math.min(size, maxBody)),
  };
}

/** The body of a response without its content codings. */
async function bodyOf(
  { raw, headers, defect }: Received,
  maxBody: number,
  reserve: Reserve,
): Promise<ReadBody> {
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
 * The most bytes that a body needs, encoded and decoded together: decoding needs twice the size of
 * what it makes. 0 if the body is not decoded.
 */
export function decodedSize(raw: Buffer, headers: Fields, maxBody: number): number {
  const [coding = "", ...more] = codingsIn(headers);
  const decoder = decoders.get(coding);
  return raw.length === 0 || decoder === undefined || more.length > 0
    ? 0
    : raw.length + 2 * Math.min(maxBody, raw.length * decoder.mostSwelling);
}

/**
 * The body without its content coding (RFC 9110, 8.4). Returns a defect with it if it has several
 * codings, if its coding is unknown or broken, or if the decoded body is larger than `maxBody`
 * bytes.
 */
export function decodedBody(raw: Buffer, headers: Fields, maxBody: number): ReadBody {
  const [coding, ...more] = raw.length === 0 ? [] : codingsIn(headers);
  if (coding === undefined) return narrowBody(raw, maxBody);
  if (more.length > 0)
    return { bytes: raw, ...coded("the body has several content codings, one in the other") };
  const decoder = decoders.get(coding);
  if (decoder === undefined)
    return { bytes: raw, ...coded(`the content coding ${coding} was not accepted in the request`) };
  try {
    return narrowBody(decodedBytes(decoder.decode, raw, maxBody), maxBody);
  } catch (error) {
    const text = `the body is larger than ${maxBody} bytes after decoding`;
    return {
      bytes: Buffer.alloc(0),
      ...(isTooLarge(error)
        ? { defect: { kind: "too large", text } }
        : coded(`the ${coding} coding of the body is broken`)),
    };
  }
}

/** The body, or its beginning with a defect if its text would take too much memory. */
function narrowBody(bytes: Buffer, maxBody: number): ReadBody {
  const bound = Math.max(most.wideBody, maxBody / 2);
  if (bytes.length <= bound || !isWide(bytes)) return { bytes };
  const text = `the body is larger than ${bound} bytes and has characters beyond Latin-1`;
  return { bytes: Buffer.from(beginningOf(bytes)), defect: { kind: "too large", text } };
}

/** Whether a text in UTF-8 has a character beyond Latin-1. */
function isWide(bytes: Buffer): boolean {
  // An iterator over so many bytes takes a hundred times as long.
  for (let at = 0; at < bytes.length; at += 1) if ((bytes[at] ?? 0) > 0xc3) return true;
  return false;
}

/** Decodes a body. A large one is decoded into one buffer, so that it is in memory only once. */
function decodedBytes(decode: Decode, raw: Buffer, maxBody: number): Buffer {
  try {
    return decode(raw, { maxOutputLength: Math.min(maxBody, most.largeBody) });
  } catch (error) {
    if (!isTooLarge(error) || maxBody <= most.largeBody) throw error;
    return decode(raw, { maxOutputLength: maxBody, chunkSize: maxBody });
  }
}

const isTooLarge = (error: unknown): boolean =>
  (error as { readonly code?: string }).code === "ERR_BUFFER_TOO_LARGE";

function codingsIn(headers: Fields): readonly string[] {
  return headers
    .filter(([name]) => name.toLowerCase() === "content-encoding")
    .flatMap(([, value]) => value.split(","))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
}

const coded = (text: string): Pick<ReadBody, "defect"> => ({ defect: { kind: "coding", text } });

type Decode = (
  bytes: Buffer,
  bound: { readonly maxOutputLength: number; readonly chunkSize?: number },
) => Buffer;

/**
 * Decodes `deflate` with or without its zlib wrapper, which some implementations leave out (RFC
 * 9110, 8.4.1.2). The wrapper begins with the number of its method: 8.
 */
const inflated: Decode = (bytes, bound) =>
  ((bytes[0] ?? 0) & 0x0f) === 8
    ? zlib.inflateSync(bytes, bound)
    : zlib.inflateRawSync(bytes, bound);

interface Decoder {
  readonly decode: Decode;
  /** The largest factor by which the coding shrinks a body. */
  readonly mostSwelling: number;
}

const shrinksMost = 1032;

/** Node 20 cannot decode zstd: there it is a coding that the request did not accept. */
const { zstdDecompressSync } = zlib as { readonly zstdDecompressSync?: Decode };

const decoders = new Map<string, Decoder>([
  ["gzip", { decode: zlib.gunzipSync, mostSwelling: shrinksMost }],
  ["x-gzip", { decode: zlib.gunzipSync, mostSwelling: shrinksMost }],
  ["deflate", { decode: inflated, mostSwelling: shrinksMost }],
  ["br", { decode: zlib.brotliDecompressSync, mostSwelling: Infinity }],
  ...(zstdDecompressSync === undefined
    ? []
    : [["zstd", { decode: zstdDecompressSync, mostSwelling: Infinity }] as const]),
]);

export interface Deadline {
  /** Whether the time is over, or the run was stopped. */
  readonly isOver: () => boolean;
  /** Stops the clock until `resume` starts it again. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly clear: () => void;
}

/**
 * Calls `end` after `ms` milliseconds, or when `stop` aborts. Data that arrived while this thread
 * was busy is read before.
 */
export function deadlineIn(ms: number, stop: AbortSignal, end: () => void): Deadline {
  let isOver = false;
  const over = (): void => {
    if (isOver) return;
    isOver = true;
    end();
  };
  let left = ms;
  let since = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let late: NodeJS.Immediate | undefined;
  const pause = (): void => {
    clearTimeout(timer);
    left -= performance.now() - since;
  };
  const resume = (): void => {
    since = performance.now();
    // The event loop runs timers before it reads sockets, and immediates after that.
    timer = setTimeout(() => {
      late = setImmediate(over);
    }, left);
  };
  if (stop.aborted) over();
  stop.addEventListener("abort", over);
  resume();
  const clear = (): void => {
    clearTimeout(timer);
    clearImmediate(late);
    stop.removeEventListener("abort", over);
  };
  return { isOver: () => isOver, pause, resume, clear };
}

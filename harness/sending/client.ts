import type { Socket } from "node:net";
import type { Dispatcher } from "undici";
import { beginningOf, decodedBody, readableBody, type BodyDefect } from "../../model/bodies.ts";
import { fieldOf, fieldsOf, type Sent } from "../../model/exchange.ts";
import type { Fields } from "../../model/request.ts";
import { bounds as most } from "../../model/bounds.ts";
import { defined } from "../../model/defined.ts";
import { portOf } from "../../model/network.ts";
import type { Target } from "../../model/target.ts";
import { dispatcherOf, type ConnectionBounds, failureOf } from "./connections.ts";
import { queued, waitFor } from "./turns.ts";

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
  /** Nothing else is in flight. On a new connection, all idle ones are closed before (INT-04). */
  readonly isAlone?: boolean;
  readonly isPlain?: boolean;
  /**
   * Send on the connection with this name, which other requests do not use, and which stays open
   * while it is idle.
   */
  readonly spare?: string | undefined;
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
  let open = 0;
  const counted = {
    ...bounds,
    onSocket: (socket: Socket): void => {
      open += 1;
      socket.once("close", () => (open -= 1));
      bounds.onSocket?.(socket);
    },
  };
  let pool = dispatcherOf(target, counted);
  const bodies = { large: createLargeBodies(bounds.signal), shared: createSharing() };
  const spares = new Map<string, Dispatcher>();
  let isSole = false;
  const renewed = (connections: number): readonly Dispatcher[] => {
    const before = [pool, ...spares.values()];
    counted.connections = connections;
    pool = dispatcherOf(target, counted);
    spares.clear();
    return before;
  };
  const closeIdle = (): Promise<unknown> =>
    Promise.all(renewed(counted.connections).map((one) => one.destroy()));
  /** Sends on a connection of its own. Plain HTTP uses no proxy. */
  const alone = async (to: Target | string, request: HttpRequest, own: ClientBounds) => {
    const [url, way] =
      typeof to === "string" ? [to, { baseUrl: to, insecure: false }] : [origin, to];
    const dispatcher = dispatcherOf(way, own);
    const sent = await exchangeOn(dispatcher, url, request, { ...own, ...bodies });
    dispatcher.destroy().catch(() => undefined);
    return sent;
  };
  return {
    /** Sends on the shared pool, on the spare connection or on a new one. Never throws. */
    send: async (request: HttpRequest, how: SendOptions = {}): Promise<Sent> => {
      const own = { ...bounds, timeout: how.timeout ?? bounds.timeout, connections: 1 };
      if (how.isPlain === true) return alone(plain, request, own);
      if (how.isFresh === true) {
        if (how.isAlone === true || isSole) await closeIdle();
        const sent = await alone(target, request, own);
        return sent.failure === undefined ? sent : { failure: { ...sent.failure, beside: open } };
      }
      const { spare } = how;
      if (spare !== undefined && !isSole && !spares.has(spare))
        spares.set(
          spare,
          dispatcherOf(target, { ...counted, connections: 1, keepAlive: longestIdle }),
        );
      return exchangeOn(spares.get(spare ?? "") ?? pool, origin, request, { ...own, ...bodies });
    },
    /** From now on, no more connections than this are open at once (INT-04). */
    atMost: (connections: number): void => {
      isSole = connections === 1;
      for (const one of renewed(connections)) void one.close();
    },
    close: async (): Promise<void> => {
      await Promise.all([pool, ...spares.values()].map((one) => one.destroy()));
    },
  };
}

/**
 * What all exchanges of a client share: the place of the one large body that is in memory, and the
 * large bodies received before.
 */
interface Bodies {
  readonly large: ReturnType<typeof createLargeBodies>;
  readonly shared: ReturnType<typeof createSharing>;
}

const stopped = { kind: "aborted", message: "the run was stopped" } as const;

async function exchangeOn(
  dispatcher: Dispatcher,
  origin: string,
  { method, path, headers, body }: HttpRequest,
  { timeout, signal, maxBody, large, shared }: ClientBounds & Bodies,
): Promise<Sent> {
  if (signal.aborted) return { failure: { ...stopped, took: 0 } };
  let giveUp = (): void => undefined;
  const deadline = deadlineIn(timeout, signal, () => giveUp());
  const memory = memoryOf(large, deadline);
  let late = `no response within ${timeout} ms`;
  try {
    const received = await new Promise<Received>((resolve, reject) => {
      const { enlarge } = memory;
      const collector = collectorOf({ maxBody, enlarge, since: deadline.since, resolve, reject });
      ({ giveUp } = collector);
      const request = { origin, method, path, headers: headers.flat(), body: body ?? null };
      dispatcher.dispatch(request, collector.handler);
    });
    late = `the response had not ended after ${timeout} ms`;
    const { raw: _, ...head } = received;
    const { bytes, defect: misread } = await bodyOf(received, maxBody, memory.enlarge);
    const readable = misread === undefined ? readableBody(bytes) : { body: bytes };
    const { defect = misread } = readable;
    if (defect?.kind === "cut" && deadline.isOver()) throw new Error(late);
    const response = { ...head, body: shared(readable.body), took: deadline.since() };
    return { letGo: memory.letGo, response: { ...response, ...defined({ defect }) } };
  } catch (error) {
    memory.letGo();
    const took = deadline.since();
    if (signal.aborted) return { failure: { ...stopped, took } };
    if (deadline.isOver()) return { failure: { kind: "timeout", message: late, took } };
    return { failure: { ...failureOf(error), took } };
  } finally {
    deadline.clear();
  }
}

/** The memory for a large body. To wait for it is no time of the server. */
function memoryOf(large: Bodies["large"], deadline: ReturnType<typeof deadlineIn>) {
  let release: (() => void) | undefined;
  return {
    enlarge: async (): Promise<void> => {
      if (release !== undefined) return;
      deadline.pause();
      release = await large();
      deadline.resume();
    },
    letGo: (): void => release?.(),
  };
}

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
  /** Resolves when a large body may be read. */
  readonly enlarge: () => Promise<void>;
  /** The time of the server so far, in milliseconds. */
  readonly since: () => number;
  readonly resolve: (received: Received | Promise<Received>) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Collects a response. `handler` takes what undici reads: a stream and an AbortSignal for each
 * request would take several times as long. `giveUp` ends the exchange.
 */
function collectorOf({ maxBody, enlarge, since, resolve, reject }: Collecting) {
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
      } else if (size > most.largeBody && wait === undefined) {
        wait = enlarge();
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

/** The body of a response without its content codings. */
async function bodyOf(
  { raw, headers, defect }: Received,
  maxBody: number,
  enlarge: () => Promise<void>,
): Promise<ReturnType<typeof decodedBody>> {
  if (defect?.kind === "too large") return { bytes: beginningOf(raw), defect };
  if (defect !== undefined) return { bytes: raw, defect };
  const read = decodedBody(raw, headers, Math.min(maxBody, most.largeBody));
  if (read.defect?.kind !== "too large" || maxBody <= most.largeBody) return read;
  await enlarge();
  return decodedBody(raw, headers, maxBody);
}

/**
 * Calls `end` after `ms` milliseconds, or when `stop` aborts. Data that arrived while this thread
 * was busy is read before.
 */
export function deadlineIn(ms: number, stop: AbortSignal, end: () => void) {
  let isOver = false;
  const over = (): void => {
    if (isOver) return;
    isOver = true;
    end();
  };
  let before = 0;
  let from = performance.now();
  let isRunning = false;
  const since = (): number => before + (isRunning ? performance.now() - from : 0);
  let timer: NodeJS.Timeout | undefined;
  let late: NodeJS.Immediate | undefined;
  const pause = (): void => {
    clearTimeout(timer);
    before = since();
    isRunning = false;
  };
  const resume = (): void => {
    from = performance.now();
    isRunning = true;
    // The event loop runs timers before it reads sockets, and immediates after that.
    timer = setTimeout(() => {
      late = setImmediate(over);
    }, ms - before);
  };
  if (stop.aborted) over();
  stop.addEventListener("abort", over);
  resume();
  const clear = (): void => {
    clearTimeout(timer);
    clearImmediate(late);
    stop.removeEventListener("abort", over);
  };
  return {
    /** Whether the time is over, or the run was stopped. */
    isOver: () => isOver,
    /** How long the clock has run so far, in milliseconds. */
    since,
    /** Stops the clock until `resume` starts it again. */
    pause,
    resume,
    clear,
  };
}

/**
 * Lets one large body at a time be in memory. The function that it makes waits until the body may be
 * read, and resolves to the function that lets the body go.
 */
export function createLargeBodies(signal: AbortSignal): () => Promise<() => void> {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  const serve = (): void => {
    const next = isTaken ? undefined : waiting.shift();
    if (next === undefined) return;
    isTaken = true;
    next();
  };
  return async () => {
    await waitFor<void>("memory for a large response", signal, (go) => {
      const takeBack = queued(waiting, go);
      serve();
      return takeBack;
    });
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      isTaken = false;
      serve();
    };
  };
}

/**
 * Makes a function that returns the last large body in place of an equal one, because it has been
 * parsed and judged already.
 */
export function createSharing(): (body: Uint8Array) => Uint8Array {
  let last: Uint8Array = new Uint8Array();
  return (body) => {
    if (body.length < most.largeBody) return body;
    if (Buffer.compare(last, body) !== 0) last = body;
    return last;
  };
}

/** The Content-Length in the headers. Undefined if there is none, or if it is not a number. */
function lengthIn(headers: Fields): number | undefined {
  const length = fieldOf(headers, "content-length") ?? "";
  return /^\d+$/.test(length) ? Number(length) : undefined;
}

/**
 * Collects the bytes of a body, of which at most `maxBody` are kept. A large body whose length is
 * known is in memory only once.
 */
function collectedBody(maxBody: number) {
  let kept = Buffer.alloc(0);
  let size = 0;
  return {
    /** Adds a part, and returns the size so far. `length`: that of the whole body, if it is known. */
    add: (chunk: Buffer, length = 0): number => {
      const before = size;
      size += chunk.length;
      if (size > kept.length && before < maxBody) {
        const whole = size > most.largeBody && length <= maxBody ? length : 0;
        const larger = Buffer.allocUnsafe(Math.max(size, whole, kept.length * 2));
        kept.copy(larger, 0, 0, before);
        kept = larger;
      }
      chunk.copy(kept, before);
      return size;
    },
    bytes: (): Buffer => {
      const bytes = kept.subarray(0, Math.min(size, maxBody));
      return kept.length > bytes.length * 1.5 ? Buffer.from(bytes) : bytes;
    },
  };
}

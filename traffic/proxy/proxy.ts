import { defined } from "../../model/defined.ts";
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { dispatcherOf } from "../../harness/transport/connection/dispatcher.ts";
import { fieldsOf, type Fields } from "../../model/exchange.ts";
import type { Target } from "../../model/target.ts";
import { createCaptures, type Capture } from "./capture.ts";
import type { Captured } from "./captured.ts";

/** Where the proxy listens, and its target. */
export interface ProxyOptions {
  readonly target: Pick<Target, "baseUrl" | "ca" | "clientCertificate" | "insecure" | "proxy">;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Takes each exchange when it has ended. Must not wait. */
  readonly onExchange: (captured: Captured) => void;
}

/** A running reverse proxy. */
export interface Proxy {
  /** The URL that clients use instead of the target's base URL. */
  readonly baseUrl: string;
  /** Stops listening and ends open connections. */
  readonly close: () => Promise<void>;
}

/** Milliseconds in which a connection to the target must be made. */
const connectTimeout = 10_000;

/** Legal servers and clients send long headers. */
const maxHeaderSize = 256 * 1024;

/**
 * Starts a reverse proxy that passes everything on as it comes, in both directions. Each connection of a client has its
 * own connection to the target, and the two end together, so a connection behaves as it does without the proxy.
 */
export const startProxy = async (options: ProxyOptions): Promise<Proxy> => {
  const { target, host, port } = options;
  const { origin, host: authority, pathname } = new URL(target.baseUrl);
  const sockets = new Map<Socket, Dispatcher>();
  const server = createServer({ maxHeaderSize, keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 });
  server.on("connection", (socket: Socket) => {
    const client = dispatcherOf(target, {
      timeout: connectTimeout,
      connections: 1,
      untilEnded: true,
      onSocket: (own) => void own.once("close", () => busy.has(socket) || socket.end()),
    });
    sockets.set(socket, client);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => {
      sockets.delete(socket);
      client.destroy().catch(() => undefined);
    });
  });
  const busy = new Set<Socket>();
  const captures = createCaptures();
  server.on("request", (request, response) => {
    const client = sockets.get(request.socket);
    if (client === undefined) return void request.socket.destroy();
    busy.add(request.socket);
    response.once("close", () => busy.delete(request.socket));
    pass(request, response, { client, origin, authority, captures, onExchange: options.onExchange });
  });
  await listening(server, host, port);
  const address = server.address();
  const taken = typeof address === "object" && address !== null ? address.port : port;
  return {
    baseUrl: `http://${host.includes(":") ? `[${host}]` : host}:${taken}${pathname.replace(/\/+$/, "")}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets.keys()) socket.destroy();
      await closed;
    },
  };
};

interface Way {
  readonly client: Dispatcher;
  readonly origin: string;
  readonly authority: string;
  readonly captures: () => Capture;
  readonly onExchange: (captured: Captured) => void;
}

const pass = (
  request: IncomingMessage,
  response: ServerResponse,
  { client, origin, authority, captures, onExchange }: Way,
): void => {
  const startedAt = Date.now();
  const started = performance.now();
  const { method = "GET", url = "/" } = request;
  const requestHeaders = fieldsOf(request.rawHeaders);
  const sent = captures();
  const received = captures();
  let head: Pick<Captured, "status" | "statusText" | "responseHeaders" | "waited"> | undefined;
  const end = (isWhole: boolean): void => {
    const [requestBody, responseBody] = [sent.taken(), received.taken()];
    if (!isWhole || head === undefined) return;
    onExchange({
      method,
      url: origin + url,
      requestHeaders,
      ...head,
      ...defined({ requestBody, responseBody }),
      startedAt,
      took: performance.now() - started,
    });
  };
  let isBegun = false;
  let abort = (): void => undefined;
  response.once("close", () => {
    if (!response.writableFinished) abort();
  });
  response.sendDate = false;
  client.dispatch(
    {
      origin,
      method,
      path: url,
      headers: passedOn(requestHeaders)
        .filter(([name]) => name.toLowerCase() !== "keep-alive")
        .map(([name, value]) => (name.toLowerCase() === "host" ? [name, authority] : [name, value]))
        .flat(),
      body: hasBody(request) ? Readable.from(tapped(request, sent), { objectMode: false }) : null,
    },
    {
      onConnect: (stop) => {
        abort = () => stop(new Error("the client left"));
        if (response.destroyed) abort();
      },
      onHeaders: (status, raw, resume, statusText: string | undefined) => {
        if (status < 200) return true;
        const responseHeaders = fieldsOf(raw.map((part) => part.toString("latin1")));
        head = { status, statusText: statusText ?? "", responseHeaders, waited: performance.now() - started };
        if (responseHeaders.some(([name, value]) => isClose(name, value))) response.shouldKeepAlive = false;
        // Bytes as characters, as headers are; undici keeps none of what came through a proxy.
        const reason = statusText === undefined ? STATUS_CODES[status] : Buffer.from(statusText).toString("latin1");
        response.writeHead(status, reason ?? "", passedOn(responseHeaders).flat());
        response.on("drain", resume);
        // Send the headers with the body if it is there already, else at once.
        process.nextTick(() => isBegun || response.flushHeaders());
        return true;
      },
      onData: (chunk) => {
        isBegun = true;
        received.add(chunk);
        return response.write(chunk);
      },
      onComplete: (trailers) => {
        isBegun = true;
        response.addTrailers(
          fieldsOf((trailers ?? []).map(String)).map(([name, value]): [string, string] => [name, value]),
        );
        response.end();
        // A response can end before its request: the rest of the request must not delay the next one.
        request.resume();
        end(true);
      },
      // As without the proxy, the client gets what came until then, and the connection ends.
      onError: () => {
        if (head !== undefined) response.flushHeaders();
        request.socket.destroySoon();
        end(false);
      },
    },
  );
};

const isClose = (name: string, value: string): boolean =>
  name.toLowerCase() === "connection" && value.toLowerCase().includes("close");

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/**
 * Headers of a single connection (RFC 9110, 7.6.1): each side of the proxy has its own. Keep-Alive of the target is
 * passed on, because the client's connection ends with the target's.
 */
const ofConnection = new Set(["connection", "proxy-connection", "transfer-encoding", "upgrade", "expect"]);

const passedOn = (fields: Fields): Fields => fields.filter(([name]) => !ofConnection.has(name.toLowerCase()));

async function* tapped(request: IncomingMessage, capture: Capture): AsyncGenerator<Buffer> {
  // A server may respond before it has read all of a body: the rest is read, and the connection stays.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    capture.add(chunk);
    yield chunk;
  }
}

const listening = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject).listen({ host, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });

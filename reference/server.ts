import { once } from "node:events";
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import {
  createServer as createNetServer,
  type Server as NetServer,
  type Socket,
  type AddressInfo,
} from "node:net";
import { applicationOf, policyOf } from "./application.ts";
import { faults, variants, type Deviation } from "./deviations/index.ts";
import type { Change, Policy } from "./policy.ts";

export interface ReferenceOptions {
  /** The port. @defaultValue 0: any free port */
  readonly port?: number;
  /** The key and the certificate as PEM texts. Without them, the server speaks plain HTTP. */
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly apiKey: string;
  readonly customerId: string;
  readonly faults?: readonly string[];
  readonly variants?: readonly string[];
  /** Further changes, which have no id. They are applied last. */
  readonly changes?: readonly Change[];
  /**
   * The largest body of a request, in bytes. A larger one is refused with 413. @defaultValue
   * unlimited
   */
  readonly maxBody?: number;
  /** Called with each request before it is handled. */
  readonly onRequest?: (request: IncomingMessage, response: ServerResponse) => void;
}

export interface Reference {
  /** The address with the host `localhost`, and with the base path if a variant has one. */
  readonly baseUrl: string;
  readonly port: number;
  /** Stops listening and ends open connections. */
  readonly close: () => Promise<void>;
}

/**
 * Starts a server on 127.0.0.1, which clients find as `localhost`. Rejects if the port is in use,
 * or if `faults` or `variants` contains an unknown id.
 */
export async function startReference(options: ReferenceOptions): Promise<Reference> {
  const known = [...changesOf(variants, options.variants), ...changesOf(faults, options.faults)];
  const policy = policyOf([...known, ...(options.changes ?? [])]);
  const listener = listenerOf(policy, options);
  const server = serverOf(policy, options, listener);
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).once("close", () => sockets.delete(socket));
  });
  await once(server.listen({ port: options.port ?? 0, host: "127.0.0.1" }), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `${options.tls ? "https" : "http"}://localhost:${port}${policy.basePath}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function changesOf(known: readonly Deviation[], ids: readonly string[] = []): readonly Change[] {
  return ids.map((id) => {
    const found = known.find((one) => one.id === id);
    if (!found) throw new Error(`There is no fault or variant ${JSON.stringify(id)}`);
    return found.change;
  });
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

function listenerOf(policy: Policy, options: ReferenceOptions): Listener {
  const answerTo = applicationOf(policy, options);
  const idleSince = new WeakMap<Socket, number>();

  return (request, response) => {
    options.onRequest?.(request, response);
    const { socket, method = "", url = "/", headers } = request;
    const idle = performance.now() - (idleSince.get(socket) ?? performance.now());
    response.once("finish", () => idleSince.set(socket, performance.now()));
    const respond = async (bytes: Buffer): Promise<void> => {
      const [answer, call] = await answerTo({
        ...{ method, url, headers, idle, bytes },
        connection: socket,
      });
      if (answer.fate === "hang" || response.destroyed) return;
      if (answer.fate === "drop") response.socket?.destroy();
      else policy.deliver(policy.encode(answer, call), response, call);
    };
    bodyOf(request, options.maxBody).then(
      (bytes) => (bytes === undefined ? refuseBody(response) : respond(bytes)),
      () => response.destroy(),
    );
  };
}

/**
 * The body of a request. Undefined if it is larger than `most` bytes; the rest is then read and
 * dropped. Rejects if the request ends early.
 */
function bodyOf(request: IncomingMessage, most = Infinity): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= most) return void chunks.push(chunk);
      chunks.length = 0;
      resolve(undefined);
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", reject).once("close", () => reject(new Error("the request ended early")));
  });
}

function refuseBody(response: ServerResponse): void {
  response.writeHead(413, { "content-type": "application/json", connection: "close" });
  response.end(JSON.stringify({ message: "The body of the request is too large." }));
}

/** A server without TLS, with TLS, or with both on one port. */
function serverOf(policy: Policy, { tls }: ReferenceOptions, listener: Listener): NetServer {
  if (!tls) return configured(createHttpServer(listener), policy);
  const secure = configured(createHttpsServer({ key: tls.key, cert: tls.cert }, listener), policy);
  const { plainHttp } = policy;
  if (!plainHttp) return secure;
  const open = createHttpServer((request, response) =>
    plainHttp(request, response, () => listener(request, response)),
  );
  return sharedPort(secure, configured(open, policy));
}

function configured<S extends Server>(server: S, policy: Policy): S {
  if (policy.idle !== undefined) server.keepAliveTimeout = policy.idle;
  return server;
}

/**
 * A server on one port that hands connections with a TLS handshake to `secure` and all others to
 * `open`.
 */
function sharedPort(secure: Server, open: Server): NetServer {
  return createNetServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      const handshake = first[0] === 0x16;
      (handshake ? secure : open).emit("connection", socket);
      // TLS reads from the paused socket; HTTP needs the socket to flow again.
      if (!handshake) socket.resume();
    });
  });
}

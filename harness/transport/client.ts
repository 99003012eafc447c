import { readFileSync } from "node:fs";
import * as tls from "node:tls";
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { Client as Connection, Pool, buildConnector, type Dispatcher } from "undici";
import type { ReceivedResponse, BodyDefect, Fields } from "../../model/exchange.ts";
import { withoutInterim } from "./interim.ts";
import { deadlineIn } from "./deadline.ts";
import type { Target } from "../../model/target.ts";

/** A request in wire form. */
export interface WireRequest {
  readonly method: string;
  /** Path and query, verbatim. */
  readonly path: string;
  readonly headers: Fields;
  readonly body: Uint8Array | undefined;
}

/** Why no response came: the connection could not be made, was lost, timed out, or did not speak HTTP. */
export interface NetworkFailure {
  readonly kind: "connect" | "tls" | "dropped" | "timeout" | "protocol" | "aborted";
  /** Short, with the system's code where there is one. */
  readonly message: string;
  readonly took: number;
}

export type Sent =
  | { readonly response: ReceivedResponse; readonly failure?: never }
  | { readonly failure: NetworkFailure; readonly response?: never };

/** The one place that touches the network. */
export interface Client {
  /** Sends on the shared pool, or on a connection of its own where `fresh` is set. Throws ForbiddenRequest alone. */
  readonly send: (request: WireRequest, options?: { readonly fresh?: boolean }) => Promise<Sent>;
  /** Sends over plain HTTP to the same host and port, whatever the scheme of the base URL. */
  readonly sendPlain: (request: WireRequest) => Promise<Sent>;
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

/** A request that the profile forbids: an error of ours, never the target's. */
export class ForbiddenRequest extends Error {
  override readonly name = "ForbiddenRequest";
}

/** Legal servers send long headers (tokens of 4 KB in cookies); a megabyte is none. */
const maxHeaderSize = 256 * 1024;

/** A client for the target. Certificates are checked against the system's and `target.ca`. */
export const createClient = (target: Target, bounds: ClientBounds): Client => {
  const origin = new URL(target.baseUrl).origin;
  const common = {
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize,
    pipelining: 1,
    connect: connectorFor(target, bounds),
  };
  const pool = new Pool(origin, { ...common, connections: bounds.connections, keepAliveTimeout: 4000 });

  const guard = (request: WireRequest): void => {
    if (bounds.only === undefined) return;
    const path = (request.path.split("?")[0] ?? "").slice(new URL(target.baseUrl).pathname.replace(/\/+$/, "").length);
    if (bounds.only.some((allowed) => allowed.method === request.method && allowed.path === path)) return;
    throw new ForbiddenRequest(`the profile does not allow ${request.method} ${request.path}`);
  };

  const alone = async (to: string, request: WireRequest, connect: typeof common.connect): Promise<Sent> => {
    const client = new Connection(to, { ...common, connect });
    try {
      return await exchangeOn(client, request, bounds);
    } finally {
      client.destroy().catch(() => undefined);
    }
  };

  return {
    send: async (request, { fresh = false } = {}) => {
      guard(request);
      return fresh ? alone(origin, request, common.connect) : exchangeOn(pool, request, bounds);
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

/**
 * What is trusted: Node's own certificates, those of NODE_EXTRA_CA_CERTS, and PEM text of the user's. Undefined where
 * the user brings none, as Node then does the same by itself; an option `ca` replaces all that. Throws where the text
 * is no certificate.
 */
export const trustOf = (own: string | undefined): tls.SecureContext | undefined => {
  if (own === undefined) return undefined;
  const context = contexts.get(own) ?? tls.createSecureContext({ ca: [...ofNode(), own] });
  contexts.set(own, context);
  return context;
};

/** By what the user trusts: reading some 150 certificates anew for each connection costs more than the exchange. */
const contexts = new Map<string, tls.SecureContext>();

const ofNode = (): readonly string[] => {
  // Since Node 22.15; it knows of --use-system-ca too.
  const { getCACertificates } = tls as { readonly getCACertificates?: (kind: "default") => readonly string[] };
  return getCACertificates?.("default") ?? [...tls.rootCertificates, ...extra()];
};

/** Node has read the file when it started, and warned where it could not. */
const extra = (): readonly string[] => {
  const path = process.env["NODE_EXTRA_CA_CERTS"];
  if (path === undefined || path === "") return [];
  try {
    return [readFileSync(path, "utf8")];
  } catch {
    return [];
  }
};

const exchangeOn = async (dispatcher: Dispatcher, request: WireRequest, bounds: ClientBounds): Promise<Sent> => {
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

const failureOf = (error: unknown): [NetworkFailure["kind"], string] => {
  const { name = "", code = "", message = String(error) } = (error ?? {}) as Partial<Error & { code: string }>;
  // A response that the parser of undici did not expect.
  if (code === "ERR_ASSERTION") return ["protocol", "the response is no HTTP that could be read"];
  const reason = /^[0-9A-F]+:error:[^:]*:[^:]*:[^:]*:([^:]+):/.exec(message)?.[1] ?? message;
  const text = code === "" ? reason : `${reason} (${code})`;
  if (
    name === "HTTPParserError" ||
    code === "UND_ERR_HEADERS_OVERFLOW" ||
    code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"
  )
    return ["protocol", text];
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|ERR_TLS|ERR_SSL|EPROTO/.test(code)) return ["tls", text];
  if (/ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT/.test(code))
    return ["connect", text];
  return ["dropped", text];
};

const fieldsOf = (raw: readonly string[]): Fields => {
  const fields: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) fields.push([String(raw[i]), String(raw[i + 1])]);
  return fields;
};

interface ReadBody {
  readonly bytes: Uint8Array;
  readonly defect?: BodyDefect;
}

const bodyOf = async (
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
  return defect === undefined ? decoded(raw, headers, maxBody) : { bytes: raw, defect };
};

const decoded = (raw: Buffer, headers: Fields, maxBody: number): ReadBody => {
  const codings = headers
    .filter(([name]) => name.toLowerCase() === "content-encoding")
    .flatMap(([, value]) => value.split(","))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (raw.length === 0) return { bytes: raw };
  let bytes: Buffer = raw;
  for (const coding of codings.reverse()) {
    const decode = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
    if (decode === undefined)
      return { bytes, defect: { kind: "coding", text: `the content coding ${coding} was not asked for` } };
    try {
      bytes = decode(bytes, maxBody);
    } catch (error) {
      const tooLarge = (error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE";
      return {
        bytes: Buffer.alloc(0),
        defect: tooLarge
          ? { kind: "too large", text: `the body is larger than ${maxBody} bytes after decoding` }
          : { kind: "coding", text: `the ${coding} coding of the body is broken` },
      };
    }
  }
  return { bytes };
};

type Decoder = (bytes: Buffer, maxOutputLength: number) => Buffer;

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength }),
  "x-gzip": (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength }),
  deflate: (bytes, maxOutputLength) => {
    // RFC 9110, 8.4.1.2: some senders leave the zlib wrapper out.
    try {
      return inflateSync(bytes, { maxOutputLength });
    } catch (error) {
      if ((error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE") throw error;
      return inflateRawSync(bytes, { maxOutputLength });
    }
  },
  br: (bytes, maxOutputLength) =>
    brotliDecompressSync(bytes, { maxOutputLength, params: { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 0 } }),
};

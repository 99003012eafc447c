import { operations } from "../../spec/operations.ts";
import type { WireRequest } from "./client.ts";
import type { RequestSpec, Fields, Json, SentRequest } from "../../model/exchange.ts";
import type { Target } from "../../model/target.ts";

/** What a request is signed and marked with. */
export interface Signature {
  /** The session's token; absent for the token endpoint and where the ask brings its own header. */
  readonly token?: string | undefined;
  readonly userAgent: string;
  /** Number of this sending, for what must be unique. */
  readonly serial: number;
}

/** An ask as bytes, and as the record that is kept of it. */
export const wireOf = (
  ask: RequestSpec,
  target: Target,
  signature: Signature,
): { wire: WireRequest; sent: SentRequest } => {
  const base = new URL(target.baseUrl);
  const path = base.pathname.replace(/\/+$/, "") + pathOf(ask) + (ask.query ?? "");
  const method = ask.method ?? operations[ask.operation].method;
  const json = typeof ask.body === "function" ? ask.body(signature.serial) : ask.body;
  const body = bytesOf(ask.text ?? (json === undefined ? undefined : JSON.stringify(json)));
  const headers = headersOf(ask, target, signature, body !== undefined);
  return {
    wire: { method, path, headers, body },
    sent: { method, url: base.origin + path, headers, body, json: ask.text === undefined ? json : parsed(body) },
  };
};

const pathOf = (ask: RequestSpec): string =>
  operations[ask.operation].path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent((ask.path?.[name] ?? "").toWellFormed()),
  );

const headersOf = (ask: RequestSpec, target: Target, signature: Signature, hasBody: boolean): Fields => {
  const headers: [string, string][] = [
    ["User-Agent", signature.userAgent],
    ["Accept", "application/json"],
    ["Accept-Encoding", "gzip"],
  ];
  const contentType = ask.contentType === undefined ? (hasBody ? "application/json" : null) : ask.contentType;
  if (contentType !== null) headers.push(["Content-Type", contentType]);
  if (ask.operation === "createToken") {
    const key = ask.apiKey === undefined ? target.apiKey : ask.apiKey;
    if (key !== null) headers.push(["x-api-key", key]);
  }
  const authorization =
    ask.authorization === undefined && signature.token ? `Bearer ${signature.token}` : ask.authorization;
  if (authorization !== undefined && authorization !== null) headers.push(["Authorization", authorization]);
  return headers;
};

const bytesOf = (text: string | Uint8Array | undefined): Uint8Array | undefined =>
  typeof text === "string" ? Buffer.from(text, "utf8") : text;

const parsed = (body: Uint8Array | undefined): Json | undefined => {
  try {
    return body === undefined ? undefined : (JSON.parse(Buffer.from(body).toString("utf8")) as Json);
  } catch {
    return undefined;
  }
};

/** Whether the ask goes out with the session's token. */
export const usesSession = (ask: RequestSpec): boolean =>
  ask.operation !== "createToken" && ask.authorization === undefined;

/** Whether the ask presents a key or an Authorization header of its own, in place of the session's. */
export const presentsItsOwn = (ask: RequestSpec): boolean =>
  ask.apiKey !== undefined || ask.authorization !== undefined;

import { operations } from "../../spec/operations.ts";
import { parsedJson, type RequestSpec, type Fields } from "../../model/exchange.ts";
import type { Target } from "../../model/target.ts";

export interface Signature {
  /** The session's token; absent for the token endpoint and where the spec brings its own header. */
  readonly token?: string | undefined;
  readonly userAgent: string;
  /** Number of this sending, for values that must be unique. */
  readonly serial: number;
}

export const httpRequestOf = (spec: RequestSpec, target: Target, signature: Signature) => {
  const { origin, pathname } = new URL(target.baseUrl);
  const path = pathname.replace(/\/+$/, "") + pathOf(spec) + queryOf(spec);
  const method = spec.method ?? operations[spec.operation].method;
  const json = typeof spec.body === "function" ? spec.body(signature.serial) : spec.body;
  const text = typeof spec.text === "function" ? spec.text(signature.serial) : spec.text;
  const body = bytesOf(text ?? (json === undefined ? undefined : JSON.stringify(json)));
  const headers = headersOf(spec, target, signature, body !== undefined);
  return {
    request: { method, path, headers, body },
    sent: {
      method,
      url: origin + path,
      headers,
      body,
      json: text === undefined ? json : body && parsedJson(body),
    },
  };
};

const pathOf = (spec: RequestSpec): string =>
  operations[spec.operation].path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent((spec.path?.[name] ?? "").toWellFormed()),
  );

/** Servers refuse other characters than RFC 3986 allows in a query, such as brackets, before the API gets it. */
const queryOf = ({ query = "" }: RequestSpec): string =>
  query.replaceAll(/[^\w\-.~!$&'()*+,;=:@/?%]/g, encodeURIComponent);

const headersOf = (spec: RequestSpec, target: Target, signature: Signature, hasBody: boolean): Fields => {
  const headers: [string, string][] = [
    ["User-Agent", signature.userAgent],
    ["Accept", "application/json"],
    ["Accept-Encoding", "gzip"],
  ];
  const contentType = spec.contentType === undefined ? (hasBody ? "application/json" : null) : spec.contentType;
  if (contentType !== null) headers.push(["Content-Type", contentType]);
  if (spec.operation === "createToken") {
    const key = spec.apiKey === undefined ? target.apiKey : spec.apiKey;
    if (key !== null) headers.push(["x-api-key", key]);
  }
  const authorization =
    spec.authorization === undefined && signature.token ? `Bearer ${signature.token}` : spec.authorization;
  if (authorization !== undefined && authorization !== null) headers.push(["Authorization", authorization]);
  // Every request carries the configured headers: a gateway may need them.
  const configured = (target.headers ?? []).map(({ name, value }) => [name, value] as const);
  return replacedBy(replacedBy(headers, spec.headers ?? []), configured);
};

/** The headers with the `others` added; each of these replaces a header of the same name. */
const replacedBy = (fields: Fields, others: Fields): Fields => {
  if (others.length === 0) return fields;
  const names = new Set(others.map(([name]) => name.toLowerCase()));
  return [...fields.filter(([name]) => !names.has(name.toLowerCase())), ...others];
};

const bytesOf = (text: string | Uint8Array | undefined): Uint8Array | undefined =>
  typeof text === "string" ? Buffer.from(text, "utf8") : text;

export const usesSession = (spec: RequestSpec): boolean =>
  spec.operation !== "createToken" && spec.authorization === undefined;

/** Whether the request presents a key or an Authorization header of its own, in place of the session's. */
export const presentsItsOwn = (spec: RequestSpec): boolean =>
  spec.apiKey !== undefined || spec.authorization !== undefined;

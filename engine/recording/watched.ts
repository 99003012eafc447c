import type { ReceivedResponse, SentRequest } from "../../model/exchange.ts";
import { operationNames, operations } from "../../spec/operations.ts";

/** A request and its response that a client other than fxconform exchanged with a server. */
export interface WatchedExchange {
  readonly request: SentRequest;
  readonly response: ReceivedResponse;
  /** Whether the request had a body, or may have had one, that the recording lacks. */
  readonly withoutRequestBody: boolean;
  /**
   * Whether the bytes of the response body are known, and not only its text. Only the bytes show
   * whether the body is UTF-8.
   */
  readonly withBytes: boolean;
  /**
   * When the request was sent, in milliseconds since the epoch; 0 if the recording does not say.
   */
  readonly startedAt: number;
  /** Where the exchange stands: `run.har, entry 12`. */
  readonly place: string;
}

export type MatchedRequest = NonNullable<ReturnType<typeof matchOf>>;

const templates = [...new Set(operationNames.map((name) => operations[name].path))]
  .map((path) => ({ path, at: new RegExp(`${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`) }))
  // The longest path comes first, so that the ACAM path is not taken for a shorter one.
  .sort((a, b) => b.path.length - a.path.length);

/**
 * Matches a percent sign without two hexadecimal digits behind it. A target with such a sign is no
 * URI, and its exchange is not judged (INT-47).
 */
const malformed = /%(?![0-9a-f]{2})/i;

/**
 * Finds the operation of a request from the end of its path, and with it the base URL (origin and
 * base path, without a slash at the end) and the path and query below it, as they were sent
 * (`target`). Undefined if the request is not of the API, or if its path or query is no valid URI.
 */
export function matchOf({ method, url }: Pick<SentRequest, "method" | "url">) {
  if (!URL.canParse(url)) return undefined;
  const { origin, pathname, protocol, search } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") return undefined;
  const found = templates.find(({ at }) => at.test(pathname));
  const own = operationNames.filter((name) => operations[name].path === found?.path);
  const operation = own.find((name) => operations[name].method === method) ?? own[0];
  if (found === undefined || operation === undefined) return undefined;
  const at = pathname.search(found.at);
  const target = pathname.slice(at) + search;
  if (malformed.test(target)) return undefined;
  return { baseUrl: `${origin}${pathname.slice(0, at)}`, operation, target };
}

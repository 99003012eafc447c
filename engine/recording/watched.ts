import type { ReceivedResponse, SentRequest } from "../../model/exchange.ts";
import type { InterpretationId } from "../../spec/interpretations.ts";
import { operationNames, operations, type OperationName } from "../../spec/operations.ts";

/** A request and its response that a client other than fxconform exchanged with a server. */
export interface Watched {
  readonly request: SentRequest;
  readonly response: ReceivedResponse;
  /** The request had a body that is not known. */
  readonly withoutRequestBody: boolean;
  /**
   * The bytes of the response are known, and not only its text, so it can be judged whether it is
   * UTF-8.
   */
  readonly withBytes: boolean;
  /** Milliseconds since the epoch at which it was sent. */
  readonly startedAt: number;
  /** Where it was seen: `run.har, entry 12`. */
  readonly place: string;
}

export interface Match {
  /** Origin and base path, without a slash at the end. */
  readonly baseUrl: string;
  readonly operation: OperationName;
  /** Path and query below the base path, as they were sent. */
  readonly target: string;
  /**
   * The interpretation by which only a crash is judged, where the exchange itself does not show
   * that.
   */
  readonly exemptBy?: InterpretationId;
}

const templates = [...new Set(operationNames.map((name) => operations[name].path))]
  .map((path) => ({ path, at: new RegExp(`${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`) }))
  // The longest path first, so that the ACAM path is not taken for a shorter one.
  .sort((a, b) => b.path.length - a.path.length);

/**
 * A percent sign without two digits behind it: such a target is no URI, and nothing is judged
 * (INT-47).
 */
const malformed = /%(?![0-9a-f]{2})/i;

/**
 * The operation of a request, found from the end of its path; undefined if it is none of the API,
 * or no valid URI.
 */
export function matchOf({ method, url }: Pick<SentRequest, "method" | "url">): Match | undefined {
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

/** A key for a base URL without its scheme: over plain HTTP, the same API responds. */
export function baseKeyOf(baseUrl: string): string {
  const url = new URL(baseUrl);
  const usualPort = url.protocol === "https:" ? "443" : "80";
  const port = url.port === "" ? usualPort : url.port;
  return `${url.hostname}:${port}${url.pathname.replace(/\/+$/, "")}`;
}

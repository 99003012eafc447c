import { fieldOf } from "./exchange.ts";
import type { Fields } from "./request.ts";

/**
 * A body in the form of a HAR file. HAR has neither an encoding for request bodies nor defects, so
 * that both are fields of our own.
 */
interface HarBody {
  readonly text?: string;
  readonly encoding?: "base64";
  readonly _encoding?: "base64";
  /** Why the body is incomplete. */
  readonly _defect?: { readonly kind: string; readonly text: string };
}

interface HarMessage {
  readonly headers: Fields;
  readonly body?: HarBody | undefined;
  readonly bodyBytes: number;
}

/** The parts of an entry of a HAR file. Times are in milliseconds. */
interface HarParts {
  readonly startedAt: Date | string;
  readonly waited: number;
  readonly took: number;
  readonly request: HarMessage & { readonly method: string; readonly url: string };
  readonly response?:
    (HarMessage & { readonly status: number; readonly statusText: string }) | undefined;
}

export type HarEntry = ReturnType<typeof harEntry>;

/**
 * An entry of a HAR file (1.2), as browsers and proxies write it. `clean` makes texts fit for the
 * file; the texts of bodies are clean already. Without a response, the status is 0, as in other
 * tools.
 */
export function harEntry(
  { startedAt, waited, took, request, response }: HarParts,
  clean: (text: string) => string,
) {
  const { status = 0, statusText = "", headers = [], body, bodyBytes } = response ?? {};
  const wait = Math.min(waited, took);
  const fields = (all: Fields) =>
    all.map(([name, value]) => ({ name: clean(name), value: clean(value) }));
  const value = (all: Fields, name: string) => clean(fieldOf(all, name) ?? "");
  const message = (all: Fields, bodySize: number) => ({
    httpVersion: "HTTP/1.1",
    cookies: [],
    headers: fields(all),
    headersSize: -1,
    bodySize,
  });
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: took,
    request: {
      method: request.method,
      url: clean(request.url),
      ...message(request.headers, request.bodyBytes),
      queryString: URL.canParse(request.url) ? fields([...new URL(request.url).searchParams]) : [],
      postData: request.body && {
        mimeType: value(request.headers, "content-type"),
        ...request.body,
      },
    },
    response: {
      status,
      statusText: clean(statusText),
      ...message(headers, bodyBytes ?? -1),
      content: { size: bodyBytes ?? 0, mimeType: value(headers, "content-type"), ...body },
      redirectURL: value(headers, "location"),
    },
    cache: {},
    timings: { send: 0, wait, receive: Number((took - wait).toFixed(3)) },
  };
}

import { defined } from "../../model/defined.ts";
import { seedsOf } from "../gate.ts";
import { plainLines as safe } from "../sanitize.ts";
import type { Renderer } from "../saving.ts";
import type { RecordedExchange, Run } from "../../model/run.ts";

const mostEntries = 2000;
const longest = { body: 100_000, header: 8000 } as const;
/** Maximum length of all bodies together, in characters. */
const mostText = 20_000_000;

/** HAR 1.2, which the developer tools of browsers read: the kept exchanges, those with a finding first. */
export const har: Renderer = {
  file: "exchanges.har",
  render: (run) => `${JSON.stringify({ log: logOf(run) }, null, 2)}\n`,
};

function logOf(run: Run): object {
  const entries = fitting([...run.exchanges].sort(failuresFirst));
  const left = run.exchanges.length - entries.length;
  return {
    version: "1.2",
    creator: { name: run.tool.name, version: run.tool.version },
    pages: [],
    entries: entries.map(entryOf),
    comment: `${safe(run.summary, 1000)} Seed ${seedsOf(run)}.${left > 0 ? ` ${left} more exchanges are in report.json.` : ""}`,
  };
}

const failuresFirst = (a: RecordedExchange, b: RecordedExchange): number =>
  Number(b.violates.length > 0) - Number(a.violates.length > 0) || a.at - b.at || a.id - b.id;

function fitting(exchanges: readonly RecordedExchange[]): readonly RecordedExchange[] {
  let text = 0;
  const end = exchanges.findIndex((exchange, index) => (text += sizeOf(exchange)) > mostText || index >= mostEntries);
  return end === -1 ? exchanges : exchanges.slice(0, end);
}

const sizeOf = ({ request, response }: RecordedExchange): number =>
  Math.min(longest.body, request.body?.length ?? 0) + Math.min(longest.body, response?.body.length ?? 0);

function entryOf(exchange: RecordedExchange): object {
  const { violates, scenario, intent, error } = exchange;
  const why = violates.length > 0 ? `violates ${violates.join(", ")}` : "no finding";
  const wait = Math.min(exchange.waited, exchange.took);
  return {
    startedDateTime: exchange.startedAt,
    time: exchange.took,
    request: requestOf(exchange.request),
    response: responseOf(exchange.response),
    cache: {},
    timings: { send: 0, wait, receive: Number((exchange.took - wait).toFixed(3)) },
    comment: safe(`${scenario}: ${intent}; ${why}${error === undefined ? "" : `; ${error}`}`, 1000),
    _requirements: violates.length > 0 ? violates : [scenario],
    _operation: exchange.operation,
    ...defined({ _serverIds: exchange.serverIds?.map((id) => safe(id, 500)), _error: error && safe(error, 1000) }),
  };
}

const requestOf = (request: RecordedExchange["request"]): object => ({
  method: request.method,
  url: addressOf(request.url),
  httpVersion: "HTTP/1.1",
  cookies: [],
  headers: headersOf(request.headers),
  queryString: queryOf(request.url),
  ...(request.body !== undefined && {
    postData: { mimeType: typeOf(request.headers), text: safe(request.body, longest.body) },
  }),
  headersSize: -1,
  bodySize: request.bodyBytes,
});

/** Without a response the status is 0, which tools show as: no response. */
const responseOf = (response: RecordedExchange["response"]): object => ({
  status: response?.status ?? 0,
  statusText: safe(response?.statusText ?? "", 500),
  httpVersion: "HTTP/1.1",
  cookies: [],
  headers: headersOf(response?.headers ?? []),
  content: {
    size: response?.bodyBytes ?? 0,
    mimeType: typeOf(response?.headers ?? []),
    text: safe(response?.body ?? "", longest.body),
  },
  redirectURL: "",
  headersSize: -1,
  bodySize: response?.bodyBytes ?? -1,
});

type Headers = RecordedExchange["request"]["headers"];

const headersOf = (headers: Headers): readonly object[] =>
  headers.slice(0, 200).map(([name, value]) => ({ name: safe(name, 500), value: safe(value, longest.header) }));

const typeOf = (headers: Headers): string => {
  const found = headers.find(([name]) => name.toLowerCase() === "content-type");
  return safe(found?.[1] ?? "x-unknown", 200);
};

function queryOf(url: string): readonly object[] {
  if (!URL.canParse(url)) return [];
  return [...new URL(url).searchParams].map(([name, value]) => ({ name: safe(name, 500), value: safe(value, 1000) }));
}

/** A valid URL (RFC 3986): characters that are not allowed in path and query are percent-encoded. */
function addressOf(url: string): string {
  const [, origin = "", path = ""] = /^(https?:\/\/[^/?#]*)?(.*)$/s.exec(safe(url, 8000)) ?? [];
  return origin + path.replace(/%(?![\da-f]{2})|#(?=.*#)|[^\w%\-.~:/?#@!$&'()*+,;=]/gisu, encodeURIComponent);
}

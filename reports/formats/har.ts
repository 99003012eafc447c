import { defined } from "../../model/defined.ts";
import { harEntry } from "../../model/har.ts";
import { plainLines as safe } from "../sanitize.ts";
import type { Renderer } from "../saving.ts";
import type { RecordedExchange, Run } from "../../model/run.ts";

const mostEntries = 2000;
const longest = { body: 100_000, header: 8000 } as const;

/**
 * The kept exchanges as HAR 1.2, which the developer tools of browsers read. Exchanges with a
 * finding come first.
 */
export const har: Renderer = {
  file: "exchanges.har",
  render: (run) => `${JSON.stringify({ log: logOf(run) }, null, 2)}\n`,
};

function logOf(run: Run): object {
  const entries = run.exchanges.toSorted(failuresFirst).slice(0, mostEntries);
  const left = run.exchanges.length - entries.length;
  return {
    version: "1.2",
    creator: { name: run.tool.name, version: run.tool.version },
    pages: [],
    entries: entries.map(entryOf),
    comment: `${safe(run.summary, 1000)} Seed ${run.seed}.${left > 0 ? ` ${left} more exchanges are left out.` : ""}`,
  };
}

function failuresFirst(a: RecordedExchange, b: RecordedExchange): number {
  return (
    Number(b.violates.length > 0) - Number(a.violates.length > 0) || a.at - b.at || a.id - b.id
  );
}

type SentOrReceived = Pick<RecordedExchange["request"], "headers" | "body">;

function entryOf(exchange: RecordedExchange): object {
  const { violates, scenario, intent, error, request, response } = exchange;
  const why = violates.length > 0 ? `violates ${violates.join(", ")}` : "no finding";
  const fitted = (message: SentOrReceived) => ({
    headers: message.headers.slice(0, 200),
    body: message.body === undefined ? undefined : { text: safe(message.body, longest.body) },
  });
  const parts = {
    ...exchange,
    request: { ...request, ...fitted(request), url: addressOf(request.url) },
    response: response && { ...response, ...fitted(response) },
  };
  return {
    ...harEntry(parts, (text) => safe(text, longest.header)),
    comment: safe(`${scenario}: ${intent}; ${why}${error === undefined ? "" : `; ${error}`}`, 1000),
    _requirements: violates.length > 0 ? violates : [scenario],
    _operation: exchange.operation,
    ...defined({
      _serverIds: exchange.serverIds?.map((id) => safe(id, 500)),
      _error: error && safe(error, 1000),
    }),
  };
}

/**
 * Makes a URL valid (RFC 3986): percent-encodes the characters that path and query must not
 * contain.
 */
function addressOf(url: string): string {
  const address = safe(url, 8000);
  const [origin = ""] = /^https?:\/\/[^/?#]*/.exec(address) ?? [];
  return (
    origin +
    address
      .slice(origin.length)
      .replace(/%(?![\da-f]{2})|#(?=.*#)|[^\w%\-.~:/?#@!$&'()*+,;=]/gisu, encodeURIComponent)
  );
}

import {
  scenario,
  type Change,
  answerOf,
  Inconclusive,
  inTurn,
  operationIn,
  tryTogether,
  type Context,
  type Operation,
  type Part,
  type Request,
} from "../kit/index.ts";
import { fieldOf, isSuccess, type Exchange, jsonOf } from "../../model/exchange.ts";
import { valid } from "../../model/request.ts";
import {
  operationNames,
  operations,
  type OperationName,
  operationTitle,
} from "../../spec/operations.ts";
import { batchesIn } from "../../harness/judging/observations.ts";
import { other } from "../../model/mistake.ts";
import { proxyText } from "../../model/network.ts";
import { isLoopback, type Target } from "../../model/target.ts";
import { isObject } from "../../spec/json.ts";

/** Headers that any client may send, with values that usual clients send (INT-66). */
const values: Readonly<Record<string, readonly string[]>> = {
  "Accept-Language": ["de-DE, de;q=0.9", "pt-BR, pt;q=0.9", "*", "ar"],
  Accept: [
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "application/json, text/plain, */*",
    "*/*",
    "application/json;q=0.5",
  ],
  "Accept-Encoding": ["gzip, deflate, br", "identity", "br", "gzip;q=0.1, *;q=0"],
  "Accept-Charset": [
    "iso-8859-1, utf-8;q=0.1",
    "windows-1252, *;q=0.1",
    "us-ascii, utf-8;q=0.7",
    "utf-8",
  ],
  "User-Agent": [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
    "python-requests/2.32.3",
    "okhttp/4.12.0",
    "curl/8.5.0",
  ],
  Cookie: ["session=none; other=", "lang=de", "JSESSIONID=0000", 'theme="dark"'],
  "If-None-Match": ['"none"', 'W/"none"', '"none", "other"', '"0"'],
  "If-Modified-Since": ["Sat, 01 Jan 2000 00:00:00 GMT", "none"],
  Range: ["bytes=0-9", "bytes=0-"],
  Prefer: ["return=representation", "handling=strict", "wait=10", "handling=lenient"],
  "X-Forwarded-For": ["203.0.113.7", "unknown, 10.0.0.1", "2001:db8::7"],
  "X-Forwarded-Proto": ["https"],
  Forwarded: ["for=203.0.113.7;proto=https", "for=unknown"],
  "X-Request-Id": ["'--", "7"],
  traceparent: ["00-00000000000000000000000000000000-0000000000000000-00"],
  Origin: ["https://example.com"],
  "Upgrade-Insecure-Requests": ["1"],
  "Content-Type": ["application/json"],
};

/** A header with a value. */
interface HeaderPart extends Part {
  readonly value: string;
}

/** Each value of each header. Those of one header go in different requests. */
const usualHeaders: readonly HeaderPart[] = Object.entries(values).flatMap(([place, ofHeader]) =>
  ofHeader.map((value) => ({ kind: `${place}: ${value}`, place, value })),
);

/**
 * Valid requests with headers that any client may send. They make no valid request invalid, and
 * change no value of a member (INT-66).
 */
export const usualHeadersEverywhere = scenario({
  id: "transport/headers",
  uses: operationNames,
  title: "valid requests with the headers of browsers, programs and proxies",
  checks: ["HTTP-04"],
  drawsTheSame: true,
  phase: "beside",
  run: async (context) => {
    const { attempt, batchFor, create, further, listRequest, partialItemFor, send } = context;
    const like = context.counterpartyLike(await context.registered());
    const operations = [...((await attempt(further("with headers", 4))) ?? [])];
    const created: Operation[] = [];
    const tryAt = async (sendWith: (change: Change) => Promise<Exchange>): Promise<void> =>
      tryTogether({
        parts: usualHeaders,
        mostApart: 8,
        send: (some) => sendWith(withHeaders(some)),
        isFine: (one) => isSuccess(one) && context.violationsOf(one).length === 0,
        note: (_, one) => {
          // A text beyond ASCII, which a server need not take, may be why it refused the request.
          if (one.request.body?.some((byte) => byte > 127) === true) return;
          context.answered("OPEN-46", operationTitle(one.operation), one);
        },
      });
    const operationWith = async (change: Change): Promise<Exchange> => {
      const next = operations.shift();
      const exchange = await (next === undefined
        ? context
            .servingPayee()
            .then((counterparty) => send(context.operationFor({ counterparty }), change))
        : next((request) => send(request, change)));
      const operation = operationIn(exchange);
      if (operation?.purpose === "EFX") created.push(operation);
      return exchange;
    };
    await context.together([
      tryAt((change) => send({ operation: "createToken", intent: valid }, change)),
      tryAt((change) =>
        send(like, { ...change, with: { "/counterparty_address/city": "São João" } }),
      ),
      tryAt(async (change) => send(await batchFor(), change)),
      tryAt((change) => send(listRequest, change)),
      tryAt(operationWith),
    ]);
    const mostItems = (await context.takesSecondItem()) ? created.length : 4;
    let items = 0;
    await tryAt(async (change) => {
      const counterparty = await context.servingPayee();
      while (created.length < Math.max(1, mostItems)) created.push(await create({ counterparty }));
      const operation = inTurn(created, items);
      items += 1;
      return send(partialItemFor(operation, items), {
        ...change,
        with: { "/merchant": "Ação São João" },
      });
    });
  },
});

function withHeaders(some: readonly HeaderPart[]): Change {
  const names =
    some.length > 3 ? `${some.length} usual headers` : some.map(({ kind }) => kind).join(", ");
  return {
    what: `with ${names}`,
    headers: some.map(({ place, value }) => [place, value]),
    breaksNoRule: true,
    exemptBy: "INT-66",
  };
}

/**
 * Leaves a connection idle and uses it again. Some servers lose such a connection, or the next
 * request on it (INT-32).
 */
export const idleConnection = scenario({
  id: "transport/idle",
  uses: ["listBatches"],
  title: "a connection that was idle for as long as the run allows",
  checks: ["HTTP-04"],
  isFirst: true,
  run: async ({ listRequest, old, send, settings, token }) => {
    // A server that serves one connection at a time would serve no other connection while this one
    // is idle.
    if (settings.concurrency === 1) return;
    await send({ ...listRequest, spareConnection: "idle" });
    const authorization = `Bearer ${await token()}`;
    await old({ at: Date.now() });
    // Its token is old, too. A newer one may have revoked it (INT-16).
    await send(
      { ...listRequest, spareConnection: "idle", authorization },
      { what: "on a connection that was idle", breaksNoRule: true },
    );
  },
});

/**
 * Sends methods that the specification does not name. A server may answer them as it likes, but
 * never crashes (INT-10).
 */
export const otherMethods = scenario({
  id: "transport/methods",
  uses: [],
  title: "methods that the specification does not name",
  checks: ["HTTP-04"],
  phase: "beside",
  run: async ({ answered, runId, send, target }) => {
    const path = { customer_id: target.customerId, operation_id: `nothing-${runId}` };
    for (const { method, operation } of methods) {
      const what: Change = { what: `with the method ${method}`, breaksNoRule: true };
      const exchange = await send({ operation, intent: valid, path, method }, what);
      const { response } = exchange;
      const allow =
        fieldOf(response.headers, "allow") === undefined ? "without Allow" : "with Allow";
      const inCase = `${method} ${operations[operation].path}`;
      answered("OPEN-37", inCase, exchange, `${response.status} ${allow}`);
    }
  },
});

/** Methods that could change something are sent for an unknown operation. */
const methods: readonly { readonly method: string; readonly operation: OperationName }[] = [
  { method: "GET", operation: "createToken" },
  { method: "HEAD", operation: "listBatches" },
  { method: "GET", operation: "createOperation" },
  { method: "DELETE", operation: "addAcamItem" },
];

/**
 * Requests for the list with query parameters. A server may read, ignore or refuse them, but never
 * crashes (INT-10 and INT-38).
 */
export const listParameters = scenario({
  id: "transport/parameters",
  uses: ["listBatches"],
  title: "the list with parameters that nobody states",
  checks: ["HTTP-04"],
  phase: "beside",
  run: async ({ listRequest, mostListed, observe, observed, send, together }) => {
    const [limited] = await together([
      send(listRequest, withQuery("?limit=1")),
      ...parameters.map((change) => observed(listRequest, change, "OPEN-18", change.query)),
    ]);
    // A list of one batch does not show whether it was limited.
    if (isSuccess(limited) && mostListed() < 2) return;
    const shown =
      ["no batch", "one batch"][batchesIn(limited.json)?.length ?? 0] ?? "more than one batch";
    observe("OPEN-18", "?limit=1", isSuccess(limited) ? shown : answerOf(limited));
  },
});

interface QueryChange extends Change {
  readonly query: string;
}

function withQuery(query: string): QueryChange {
  return { what: `with ${query}`, query, breaksNoRule: true };
}

/**
 * A query with brackets, or with bytes that are not UTF-8. Proxies and HTTP servers refuse such
 * queries before the API gets them.
 */
function withFragileQuery(query: string): QueryChange {
  return { ...withQuery(query), exemptBy: "INT-38" };
}

/**
 * Parameters with values that break careless code. A server that divides the list into pages knows
 * one or two of these names.
 */
const parameters: readonly QueryChange[] = [
  withFragileQuery("?status=%00&currency_pair=%ff&from=%00"),
  withQuery("?page=-1&offset=-1&limit=-1&limit=-2"),
  withQuery("?limit=abc&page=abc&offset=abc&page_size=abc"),
  withQuery(
    "?limit=99999999999999999999&page=99999999999999999999&offset=99999999999999999999&page_size=99999999999999999999",
  ),
  withQuery("?page=0&page_size=0&per_page=0&size=0"),
  withQuery(
    "?currency_pair=USD'BRL&status=none&from=2026-02-30&to=none&created_at=none&start_date=none&end_date=none&sort=none&cursor=none",
  ),
  withFragileQuery(`?limit[]=1&page[a]=1&page=2&sort${"[a]".repeat(150)}=1`),
];

/**
 * Sends requests over plain HTTP to the port of the HTTPS address (specification, introduction;
 * INT-10).
 */
export const plainHttp = scenario({
  id: "transport/plain-http",
  title: "the API is not served over plain HTTP",
  checks: ["HTTP-07"],
  profiles: ["smoke", "full"],
  run: async (context) => {
    const { holds, listRequest, target, together, violated } = context;
    const reason = uncheckedBecause(target);
    if (reason !== undefined) throw new Inconclusive(reason, "https");
    const requests = [{ operation: "createToken", intent: valid } as const, listRequest];
    const served = await together(requests.map((request) => servedPlainly(context, request)));
    const first = served.find((found) => found !== undefined);
    if (first === undefined) {
      holds("HTTP-07");
      return;
    }
    violated("HTTP-07", {
      message: "The port of the HTTPS address serves the API over plain HTTP too.",
      expected: "a refusal, a redirect or no response",
      actual: first,
      mistake: other("", "no success over plain HTTP", "a success over plain HTTP"),
    });
  },
});

function uncheckedBecause({ baseUrl, allowHttp, proxy }: Target): string | undefined {
  if (!baseUrl.startsWith("https:")) return "the base URL is plain HTTP, so HTTPS was not checked";
  if (!isLoopback(new URL(baseUrl).hostname) && !allowHttp)
    return "key and token go out in clear only to a loopback address; --allow-http sends them elsewhere too";
  if (proxy === undefined) return undefined;
  return `plain HTTP on the port of HTTPS needs a direct connection, and the way leads through ${proxyText(proxy)}`;
}

/**
 * Sends a request over plain HTTP. Resolves to the answer in words if it is a success with a JSON
 * object, and so comes from the API, or else to undefined.
 */
async function servedPlainly(
  { sendPlainly }: Context,
  request: Request,
): Promise<string | undefined> {
  const response = await sendPlainly(request);
  if (response === undefined || !isSuccess({ response }) || !isObject(jsonOf(response)))
    return undefined;
  return `${operationTitle(request.operation)} answered ${response.status} over plain HTTP`;
}

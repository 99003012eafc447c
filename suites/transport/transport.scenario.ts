import { isUsableToken, fieldOf, isSuccess, jsonOf } from "../../model/exchange.ts";
import { isObject, memberOf } from "../../spec/json.ts";
import { unusual, valid, type RequestSpec } from "../../model/request.ts";

import { addIssued } from "../../model/evidence/credentials.ts";
import { Inconclusive } from "../../harness/errors.ts";
import { proxyText } from "../../model/network.ts";
import { isLoopback, type Target } from "../../model/target.ts";
import { operations, operationTitle, type OperationName } from "../../spec/operations.ts";
import type { Pool } from "../../generators/index.ts";
import { answerOf, observing } from "../kit/observing.ts";
import { now, type Core } from "../kit/context.ts";
import { draw, sendEach } from "../kit/sampling.ts";
import { listRequest } from "../kit/requests.ts";
import { scenario } from "../kit/scenario.ts";
import { together } from "../kit/concurrency.ts";
import { batchesIn } from "../../harness/judging/observations.ts";

/** HTTP beneath the API (specification, introduction; INT-10 and INT-32). */
export const transport = [
  scenario(
    "transport/plain-http",
    "the API is not served over plain HTTP",
    { requirements: ["HTTP-07"], operations: [], profiles: ["smoke", "full"] },
    async (context) => {
      const { target } = context;
      const reason = uncheckedBecause(target);
      if (reason !== undefined) throw new Inconclusive(reason, "https");
      const specs = [{ operation: "createToken", intent: valid } as const, listRequest];
      const served = await Promise.all(specs.map((spec) => servedPlainly(context, spec)));
      const first = served.find((found) => found !== undefined);
      if (first === undefined) return context.holds("HTTP-07");
      context.violated("HTTP-07", {
        message: "The port of the HTTPS address serves the API over plain HTTP too.",
        expected: "a refusal, a redirect or no response",
        actual: first,
        cause: { expected: "no success over plain HTTP", actual: "a success over plain HTTP" },
      });
    },
  ),
  scenario(
    "transport/methods",
    "methods that the specification does not name",
    { requirements: ["HTTP-04"], operations: [], phase: "beside" },
    async (context) => {
      const path = { customer_id: context.target.customerId, operation_id: `nothing-${context.run.runId}` };
      for (const { item, isAlways } of draw(context, methods)) {
        const [method, operation] = item;
        const intent = unusual(`with the method ${method}`);
        const exchange = await context.send({ operation, intent, path, method });
        const { response } = exchange;
        const allow = fieldOf(response.headers, "allow") === undefined ? "without Allow" : "with Allow";
        const inCase = `${method} ${operations[operation].path}`;
        if (isAlways) context.observeAnswer("OPEN-37", inCase, exchange, `${response.status} ${allow}`);
      }
    },
  ),
  scenario(
    "transport/idle",
    "a connection that was idle for as long as the run allows",
    { requirements: ["HTTP-04"], operations: ["listBatches"] },
    async (context) => {
      // A server that serves one connection at a time would serve no other one.
      if (context.settings.concurrency === 1) return;
      const spec = { ...listRequest, isOnSpareConnection: true } as const;
      await context.send(spec);
      const idleSince = now();
      await context.old(idleSince);
      await context.send(spec);
    },
  ),
  scenario(
    "transport/parameters",
    "the list with parameters that nobody states",
    { requirements: ["HTTP-04"], operations: ["listBatches"], phase: "beside" },
    async (context) => {
      const [limited] = await together([
        context.send({ ...listRequest, query: "?limit=1", intent: unusual("with ?limit=1") }),
        sendEach(context, queries, (query) => {
          const spec = { ...listRequest, query, intent: unusual(`with ${query}`) };
          return observing({ ...spec, ...(isFragile(query) && { exemptBy: "INT-38" }) }, "OPEN-18", query);
        }),
      ]);
      // A list of one batch does not show whether it was limited.
      if (isSuccess(limited) && context.run.sender.mostListed() < 2) return;
      const shown = (batchesIn(limited.json) ?? []).length > 1 ? "more than one batch" : "one batch";
      context.observe("OPEN-18", "?limit=1", isSuccess(limited) ? shown : answerOf(limited));
    },
  ),
  scenario(
    "transport/headers",
    "the list with legal headers that are spelled in another way, or that nobody states",
    { requirements: ["HTTP-04"], operations: ["listBatches"], phase: "beside" },
    async (context) => {
      const token = await context.run.sender.session.token();
      await sendEach(context, headers, ([what, values]) => ({
        ...listRequest,
        intent: unusual(`with ${what}`),
        headers: Object.entries(values).map(([name, value]) => [name, value.replace(placeholder, token)] as const),
        // A refusal of this spelling says nothing about the token.
        ...(what.includes(placeholder) && { authorization: null }),
        ...(values === ofTools && { exemptBy: "INT-38" }),
      }));
    },
  ),
];

const uncheckedBecause = ({ baseUrl, allowHttp, proxy }: Target): string | undefined => {
  if (!baseUrl.startsWith("https:")) return "the base URL is plain HTTP, so HTTPS was not checked";
  if (!isLoopback(new URL(baseUrl).hostname) && !allowHttp)
    return "key and token go out in clear only to a loopback address; --allow-http sends them elsewhere too";
  return (
    proxy && `plain HTTP on the port of HTTPS needs a direct connection, and the way leads through ${proxyText(proxy)}`
  );
};

/** Methods that the specification does not name; those that could change something, for an unknown operation. */
const methods: Pool<readonly [method: string, operation: OperationName]> = {
  name: "other methods",
  items: [
    ["GET", "createToken"],
    ["HEAD", "listBatches"],
    ["GET", "createOperation"],
    ["DELETE", "addAcamItem"],
    ["GET", "createCounterparty"],
    ["GET", "addAcamItem"],
    ["PUT", "addAcamItem"],
    ["OPTIONS", "createOperation"],
    ["PATCH", "addAcamItem"],
    ["OPTIONS", "addAcamItem"],
    ["OPTIONS", "createToken"],
    ["OPTIONS", "createBatch"],
    ["OPTIONS", "createCounterparty"],
  ],
  always: 4,
};

/** Query parameters of the list with values that break careless code: a server with pages knows one or two of them. */
const queries: Pool<string> = {
  name: "parameters of the list",
  items: [
    "?limit=abc",
    "?status=%00&currency_pair=%ff&from=%00",
    "?page=-1&offset=-1",
    "?cursor=none&limit=-1",
    "?page=abc&offset=abc&page_size=abc",
    "?limit=99999999999999999999&page=99999999999999999999&offset=99999999999999999999&page_size=99999999999999999999",
    "?status=none&currency_pair=none&sort=none",
    "?page=0&page_size=0&per_page=0&size=0",
    "?currency_pair=USD'BRL&from=2026-02-30&to=none&created_at=none&start_date=none&end_date=none",
    "?limit[]=1&page[a]=1&page=2",
    `?page${"[a]".repeat(150)}=1`,
    "?limit=9223372036854775807&offset=1",
    "?limit=1&limit=2",
    "?currency_pair='",
    "?from=2026-02-30",
    "?page=9223372036854775807&limit=9223372036854775807",
    "?offset=9223372036854775808",
    "?page=2147483648&page_size=2147483648",
    "?limit=1e400",
    "?limit=1.5",
    "?limit=",
    "?limit",
    "?limit[$gt]=0&status[$ne]=none",
    "?status=none'--",
    "?limit=0",
    "?sort=created_at;--&order=none",
    "?status=%ff",
    "?cursor=%E2%82%AC",
  ],
  always: 13,
};

/** Brackets and bytes that are not UTF-8: proxies and HTTP servers refuse them before the API gets them. */
const isFragile = (query: string): boolean => /[[\]]|%ff/.test(query);

const placeholder = "{token}";

type Headers = Readonly<Record<string, string>>;

/** What browsers send: a server that likes HTML or XML better than JSON gives them that. */
const ofBrowsers: Headers = {
  Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "Accept-Language": "pt-BR,pt;q=0.9,xx-none;q=0.1",
  Cookie: "session=none; other=",
  "Upgrade-Insecure-Requests": "1",
};

/** What scripts, proxies and tools add, with values that they get wrong: a gateway may refuse them in its own way. */
const ofTools: Headers = {
  Accept: "*/*",
  Origin: "https://example.com",
  "X-Forwarded-For": "unknown, 10.0.0.1",
  Forwarded: "for=unknown",
  "X-Request-Id": "'--",
  traceparent: "00-00000000000000000000000000000000-0000000000000000-00",
  "If-Modified-Since": "none",
  "If-None-Match": '"none"',
};

/** Names and schemes are the same in any letter case (RFC 9110, 5.1 and 11.1); several spaces may follow a scheme. */
const headers: Pool<readonly [what: string, headers: Headers]> = {
  name: "headers of the list",
  items: [
    ["the headers of a browser", ofBrowsers],
    ["the headers of scripts, proxies and tools", ofTools],
    ...[
      ["Content-Type", "application/json"],
      ["authorization", `Bearer ${placeholder}`],
      ["AUTHORIZATION", `BEARER ${placeholder}`],
      ["Authorization", `Bearer  ${placeholder}`],
      ["Accept", "application/json;q=0.9, */*;q=0.1"],
      ["Accept", "application/*"],
      ["Accept-Encoding", "identity"],
      ["Accept-Encoding", "gzip;q=1.0, identity;q=0.5, *;q=0"],
    ].map(([name = "", value = ""]) => [`the header ${name}: ${value}`, { [name]: value }] as const),
  ],
  always: 3,
};

/** The response over plain HTTP, where it comes from the API itself rather than an HTML page or an error. */
const servedPlainly = async (context: Core, spec: RequestSpec): Promise<string | undefined> => {
  const { response } = await context.run.sender.sendPlain(spec);
  if (response === undefined || !isSuccess({ response })) return undefined;
  if (spec.operation === "createToken") addIssued(response, context.run.redaction);
  const json = jsonOf(response);
  const token = memberOf(json, "token");
  if (isUsableToken(token)) {
    context.run.sender.session.adopt(token);
  }
  return isObject(json) ? `${operationTitle(spec.operation)} answered ${response.status} over plain HTTP` : undefined;
};

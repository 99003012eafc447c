import { isUtf8 } from "node:buffer";
import { routeOf } from "../application.ts";
import { around, problem, set } from "../change.ts";
import type { Answer, Call, Change, Policy } from "../policy.ts";
import { row, rowsWith, type Variant } from "./variant.ts";

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}

function htmlPage(status: number): Answer {
  return {
    status,
    headers: { "content-type": "text/html" },
    text: `<html><body><h1>${status}</h1></body></html>`,
  };
}

const notImplemented: Answer = {
  status: 501,
  headers: { "content-type": "text/plain" },
  text: "Not implemented",
};
const badRequest: Answer = {
  status: 400,
  headers: {},
  body: { status: 400, error: "Bad Request" },
};
const bodyFirst: Change = () => ({ order: ["read", "authenticate"] });
const toDocuments = set({ status: 303, headers: { location: "/docs" }, body: undefined });

const ofToken = ({ refusal }: Answer): boolean => refusal === "token";
const ofMethod = ({ refusal }: Answer): boolean => refusal === "method";
function isLong({ headers }: Call): boolean {
  return Object.entries(headers).flat().join("").length > 8_192;
}
const isNoUrl = ({ url }: Call): boolean => !/^[\w\-.~!$&'()*+,;=:@/?%]*$/.test(url);
const isNoUtf8 = ({ bytes, url }: Call): boolean => !isUtf8(bytes) || !isDecodable(url);
function hasOddHeader(call: Call): boolean {
  return Object.values(call.headers).some((value) => /.{4097}|[^\x00-\x7f]/.test(String(value)));
}
function hasParameter(call: Call): boolean {
  return call.bytes.length > 0 && /json.*;/i.test(call.headers["content-type"] ?? "");
}

const isOfOtherMethod = ({ method }: Call): boolean => !["GET", "POST"].includes(method);
const isNameless = ({ headers }: Call): boolean => !headers["user-agent"];
const isForOther = ({ headers }: Call): boolean => !headers.accept?.includes("application/json");
function isUnmeasured({ method, headers }: Call): boolean {
  return method === "POST" && !headers["content-length"];
}

function barred(id: string, what: string, answer: Answer, when: (call: Call) => boolean): Variant {
  return row(id, `${what} is refused by a gateway.`).gives(answer, when);
}

const asGet: Change = around(async (call, next) =>
  next(call.method === "HEAD" ? { ...call, ...routeOf("GET", call.path), method: "GET" } : call),
);

const base = rowsWith({ slot: "base path" });
const methods = rowsWith({ answers: "OPEN-37" });

function plain(id: string, what: string, plainHttp: NonNullable<Policy["plainHttp"]>): Variant {
  return row(`plain-http-${id}`, `Plain HTTP on the TLS port ${what}.`, {
    slot: "plain HTTP",
    needs: { https: true },
  }).by(() => ({ plainHttp }));
}

export const gatewayVariants: readonly Variant[] = [
  base("base-path", "The base URL has a path.").by(() => ({ basePath: "/fx/v1" })),
  base("base-path-sandbox", "The base URL has the path of a sandbox.").by(() => ({
    basePath: "/sandbox/corporate",
  })),
  base("base-path-encoded", "The base URL has spaces, brackets and percent signs.").by(() => ({
    basePath: "/fx%20api/v%5B1%5D/100%25",
  })),
  base("base-path-bytes", "The base URL has bytes that are not UTF-8, and a bare percent sign.").by(
    () => ({
      basePath: "/fx%E2/100%",
    }),
  ),
  row("body-before-token", "The body is checked before the token.", { answers: "OPEN-23" }).by(
    bodyFirst,
  ),
  row("challenge-absent", "A 401 has no challenge.", { answers: "OPEN-25" }).answers(
    ofToken,
    set({ headers: {} }),
  ),
  methods("methods-not-found", "An unknown method gets a 404.").answers(
    ofMethod,
    set({ status: 404, headers: {} }),
  ),
  methods("methods-redirected", "An unknown method is redirected to the documentation.").answers(
    ofMethod,
    toDocuments,
  ),
  methods("methods-head", "HEAD gets what GET gets, but for the body.").by(asGet),
  methods("methods-unknown", "Another method than GET and POST gets a 501.").gives(
    notImplemented,
    isOfOtherMethod,
  ),
  barred("proxy-plain-paths", "A path with percent-encoded characters", htmlPage(400), ({ path }) =>
    /%/.test(path),
  ),
  barred("headers-limited", "A long or non-ASCII header", htmlPage(431), hasOddHeader),
  barred(
    "headers-bounded",
    "A request with more than 8 KB of headers",
    problem(431, "Headers too large"),
    isLong,
  ),
  barred("not-utf-8-refused-by-framework", "What is not UTF-8", badRequest, isNoUtf8),
  barred("brackets-refused", "A bracket in a path or a query", htmlPage(400), ({ url }) =>
    /\[|%5B/i.test(url),
  ),
  barred(
    "codings-refused",
    "A Content-Encoding",
    htmlPage(415),
    ({ headers }) => "content-encoding" in headers,
  ),
  barred("queries-not-found", "A query", problem(404, "Nothing is here"), ({ url }) =>
    url.includes("?"),
  ),
  barred(
    "queries-encoded",
    "A query with other characters than RFC 3986 allows",
    htmlPage(400),
    isNoUrl,
  ),
  barred(
    "user-agent-demanded",
    "A request without User-Agent",
    problem(403, "Who are you?"),
    isNameless,
  ),
  barred(
    "accept-demanded",
    "A request that does not accept application/json",
    problem(406, "Accept JSON"),
    isForOther,
  ),
  barred(
    "length-demanded",
    "A POST without Content-Length",
    problem(411, "Content-Length is missing"),
    isUnmeasured,
  ),
  row("content-type-exact", "A Content-Type with parameters is refused.", {
    answers: "OPEN-36",
  }).gives(problem(415, "application/json, please"), hasParameter),
  plain("page", "gets a 400 with an HTML page", (_request, response) => {
    response.writeHead(400, { "content-type": "text/html", connection: "close" });
    response.end("<html><body>The plain HTTP request was sent to HTTPS port</body></html>");
  }),
  plain("redirect", "is redirected to HTTPS", ({ headers, url = "/" }, response) => {
    const location = `https://${headers.host ?? "localhost"}${url}`;
    response.writeHead(308, { location, connection: "close" }).end();
  }),
  plain("refused", "is refused in JSON", (_request, response) => {
    response.writeHead(403, { "content-type": "application/json", connection: "close" });
    response.end(JSON.stringify({ message: "HTTPS, please" }));
  }),
  plain("upgrade", "gets a 426 without a body", (_request, response) => {
    response.writeHead(426, { upgrade: "TLS/1.2, HTTP/1.1", connection: "close, upgrade" }).end();
  }),
];

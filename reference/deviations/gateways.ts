// Legal gateways, paths and connections, and what the TLS port does with plain HTTP.
import { isUtf8 } from "node:buffer";
import { routeOf } from "../application.ts";
import { answers, around, instead, problem, set, htmlPage } from "../change.ts";
import type { Answer, Call, Change, Policy } from "../policy.ts";
import { deviation, type Deviation } from "./deviation.ts";

type PlainHttp = NonNullable<Policy["plainHttp"]>;

function onPlainHttp(
  id: string,
  about: string,
  plainHttp: PlainHttp,
  breaks?: "HTTP-07",
): Deviation {
  return deviation(`plain-http-${id}`, about, () => ({ plainHttp }), {
    breaks,
    group: "plain HTTP",
    needs: { https: true },
  });
}

const close = { connection: "close" } as const;

const plainHttp: readonly Deviation[] = [
  onPlainHttp(
    "served",
    "The TLS port serves the API over plain HTTP, too.",
    (_request, _response, serve) => serve(),
    "HTTP-07",
  ),
  onPlainHttp(
    "serves-token",
    "The TLS port issues tokens over plain HTTP, too.",
    (request, response, serve) => {
      if (request.url?.endsWith("/auth/token")) serve();
      else response.writeHead(400, { "content-type": "text/html" }).end("<h1>TLS please</h1>");
    },
    "HTTP-07",
  ),
  onPlainHttp("page", "Plain HTTP on the TLS port gets an HTML page.", (_request, response) => {
    response.writeHead(400, { "content-type": "text/html", ...close });
    response.end("<html><body>The plain HTTP request was sent to HTTPS port</body></html>");
  }),
  onPlainHttp(
    "redirect",
    "Plain HTTP on the TLS port is redirected to HTTPS.",
    ({ headers, url = "/" }, response) => {
      const location = `https://${headers.host ?? "localhost"}${url}`;
      response.writeHead(308, { location, ...close }).end();
    },
  ),
];

function below(id: string, what: string, basePath: string): Deviation {
  return deviation(id, `The base URL has ${what}.`, () => ({ basePath }), { group: "base path" });
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}

function barred(
  id: string,
  what: string,
  answer: Answer,
  when: (call: Call) => boolean,
  group?: string,
): Deviation {
  return deviation(id, `${what} is refused by a gateway.`, instead(when, answer), { group });
}

const ofMethod = ({ refusal }: Answer): boolean => refusal === "method";
const asGet: Change = around(async (call, next) =>
  next(call.method === "HEAD" ? { ...call, ...routeOf("GET", call.path), method: "GET" } : call),
);
const notImplemented: Answer = {
  status: 501,
  headers: { "content-type": "text/plain" },
  text: "Not implemented",
};
const hasOddHeader = ({ headers }: Call): boolean =>
  Object.values(headers).some((value) => /.{4200}|[^\x00-\x7f]/.test(String(value)));

const gateways: readonly Deviation[] = [
  below("base-path-encoded", "spaces, brackets and percent signs", "/fx%20api/v%5B1%5D/100%25"),
  below("base-path-bytes", "bytes that are not UTF-8, and a bare percent sign", "/fx%E2/100%"),
  deviation(
    "methods-redirected",
    "An unknown method is redirected to the documentation.",
    answers(ofMethod, set({ status: 303, headers: { location: "/docs" }, body: undefined })),
  ),
  deviation("methods-head", "HEAD gets what GET gets, but for the body.", asGet),
  deviation(
    "methods-unknown",
    "Another method than GET and POST gets a 501.",
    instead(({ method }) => !["GET", "POST"].includes(method), notImplemented),
  ),
  barred(
    "proxy-plain-paths",
    "A path with percent-encoded characters",
    htmlPage(400),
    ({ path }) => path.includes("%"),
    "plain paths",
  ),
  barred("headers-limited", "A long or non-ASCII header", htmlPage(431), hasOddHeader),
  barred(
    "not-utf-8-refused-by-framework",
    "What is not UTF-8",
    { status: 400, headers: {}, body: { status: 400, error: "Bad Request" } },
    ({ bytes, url }) => !isUtf8(bytes) || !isDecodable(url),
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
    ({ url }) => !/^[\w\-.~!$&'()*+,;=:@/?%]*$/.test(url),
  ),
  barred(
    "user-agent-demanded",
    "A request without User-Agent",
    problem(403, "Who are you?"),
    ({ headers }) => !headers["user-agent"],
  ),
  barred(
    "accept-demanded",
    "A request that does not accept application/json",
    problem(406, "Accept JSON"),
    ({ headers }) => !headers.accept?.includes("application/json"),
  ),
  barred(
    "length-demanded",
    "A POST without Content-Length",
    problem(411, "Content-Length is missing"),
    ({ method, headers }) => method === "POST" && !headers["content-length"],
  ),
  barred(
    "content-type-exact",
    "A Content-Type with parameters",
    problem(415, "application/json, please"),
    ({ bytes, headers }) => bytes.length > 0 && /json.*;/i.test(headers["content-type"] ?? ""),
  ),
  deviation("media-type-ignored", "A body is read as JSON whatever its Content-Type.", (base) => ({
    parse: (call) =>
      base.parse({ ...call, headers: { ...call.headers, "content-type": "application/json" } }),
  })),
];

function connection(id: string, about: string, change: Change): Deviation {
  return deviation(id, about, change, { group: "connection" });
}

function before(act: (...delivery: Parameters<Policy["deliver"]>) => void): Change {
  return (base) => ({
    deliver: (...delivery) => {
      act(...delivery);
      base.deliver(...delivery);
    },
  });
}

const connections: readonly Deviation[] = [
  deviation(
    "interim-100",
    "A 100 that was not requested precedes each response to a body.",
    before((_raw, response, call) => void (call.bytes.length > 0 && response.writeContinue())),
  ),
  connection(
    "connection-close",
    "Each connection announces its end after one request.",
    before((_raw, response) => void response.setHeader("connection", "close")),
  ),
  connection(
    "connection-cut",
    "Each connection ends after one response, without Connection: close.",
    before((_raw, response) => response.once("finish", () => response.socket?.end())),
  ),
  connection("connection-idle-50", "A connection ends after 50 ms of idleness.", () => ({
    idle: 50,
  })),
  connection(
    "connection-idle-408",
    "After 400 ms of idleness, a request gets a 408.",
    instead(({ idle }) => idle > 400, { status: 408, headers: close }),
  ),
];

export const gatewaysAndConnections: readonly Deviation[] = [
  ...plainHttp,
  ...gateways,
  ...connections,
];

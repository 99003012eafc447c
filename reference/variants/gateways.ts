import { isUtf8 } from "node:buffer";
import { problem } from "../change.ts";
import { set } from "../edits.ts";
import type { Answer, Call, Policy } from "../policy.ts";
import { row, rowsWith } from "./variant.ts";
import type { Variant } from "./variant.ts";

/** Whether the percent-encoded bytes of a URL are UTF-8. */
const isDecodable = (url: string): boolean => {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
};

/** What an HTTP server answers by itself. `status` is the code and its words. */
const htmlPage = (status: string): Answer => ({
  status: Number.parseInt(status),
  headers: { "content-type": "text/html" },
  text: `<html><body><h1>${status}</h1></body></html>`,
});

const notImplemented: Answer = { status: 501, headers: { "content-type": "text/plain" }, text: "Not implemented" };
const badRequest: Answer = { status: 400, headers: {}, body: { status: 400, error: "Bad Request" } };
const toDocuments = set({ status: 303, headers: { location: "/docs" }, body: undefined });

const ofToken = ({ refusal }: Answer): boolean => refusal === "token";
const ofMethod = ({ refusal }: Answer): boolean => refusal === "method";
const isPost = (call: Call): boolean => call.method === "POST";
const headersOf = (call: Call): readonly string[] =>
  Object.entries(call.headers).map(([name, value]) => name + String(value));
const hasOddHeader = (call: Call): boolean =>
  Object.values(call.headers).some((value) => /.{4097}|[^\x00-\x7f]/.test(String(value)));
const hasParameter = (call: Call): boolean =>
  call.bytes.length > 0 && /json.*;/i.test(call.headers["content-type"] ?? "");

const base = rowsWith({ slot: "base path" });
const methods = rowsWith({ answers: "OPEN-37" });

/** A variant of what a TLS port does with plain HTTP. */
const plain = (id: string, what: string, plainHttp: NonNullable<Policy["plainHttp"]>): Variant =>
  row(`plain-http-${id}`, `Plain HTTP on the TLS port ${what}.`, { slot: "plain HTTP", needs: { https: true } }).by(
    () => ({ plainHttp }),
  );

/** What comes before an endpoint: base paths, proxies, header checks, the order of checks. */
export const gatewayVariants: readonly Variant[] = [
  base("base-path", "The base URL has a path.").by(() => ({ basePath: "/fx/v1" })),
  base("base-path-sandbox", "The base URL has the path of a sandbox.").by(() => ({
    basePath: "/sandbox/api/corporate-fx",
  })),
  row("body-before-token", "The body is checked before the token.", { answers: "OPEN-23" }).by(() => ({
    order: ["read", "authenticate"],
  })),
  row("challenge-absent", "A 401 has no WWW-Authenticate.", { answers: "OPEN-25" }).answers(
    ofToken,
    set({ headers: {} }),
  ),
  methods("methods-not-found", "An unknown method gets a 404.").answers(ofMethod, set({ status: 404, headers: {} })),
  methods("methods-redirected", "An unknown method is redirected to the documentation.").answers(ofMethod, toDocuments),
  methods("methods-unknown", "Another method than GET and POST gets a 501 in plain text.").gives(
    notImplemented,
    (call) => !["GET", "POST"].includes(call.method),
  ),
  row("proxy-plain-paths", "A proxy refuses paths with percent-encoded characters, with an HTML page.").gives(
    htmlPage("400 Bad Request"),
    (call) => call.path.includes("%"),
  ),
  row("headers-limited", "A gateway refuses long headers and non-ASCII headers, with an HTML page.").gives(
    htmlPage("431 Request Header Fields Too Large"),
    hasOddHeader,
  ),
  row("headers-bounded", "A request with more than 8 KB of headers is refused.").gives(
    problem(431, "The headers are too large"),
    (call) => headersOf(call).join("").length > 8_192,
  ),
  row("not-utf-8-refused-by-framework", "A framework refuses bytes that are not UTF-8 in an error of its own.").gives(
    badRequest,
    ({ bytes, url }) => !isUtf8(bytes) || !isDecodable(url),
  ),
  row("queries-encoded", "A query with other characters than RFC 3986 allows is refused, with an HTML page.").gives(
    htmlPage("400 Bad Request"),
    ({ url }) => !/^[\w\-.~!$&'()*+,;=:@/?%]*$/.test(url),
  ),
  row("user-agent-demanded", "A request without User-Agent is refused.").gives(
    problem(403, "Who are you?"),
    (call) => !call.headers["user-agent"],
  ),
  row("accept-demanded", "A request is refused unless its Accept header names application/json.").gives(
    problem(406, "Accept application/json"),
    (call) => !/application\/json/.test(call.headers.accept ?? ""),
  ),
  row("length-demanded", "A POST without Content-Length is refused.").gives(
    problem(411, "Content-Length is missing"),
    (call) => isPost(call) && call.headers["content-length"] === undefined,
  ),
  row("content-type-exact", "A Content-Type with parameters is refused.", { answers: "OPEN-36" }).gives(
    problem(415, "application/json, please"),
    hasParameter,
  ),
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

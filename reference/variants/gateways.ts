import { isUtf8 } from "node:buffer";
import { answers, instead, problem } from "../change.ts";
import { set } from "../edits.ts";
import type { Answer, Change, Policy } from "../policy.ts";
import { row } from "./variant.ts";
import type { Variant } from "./variant.ts";

const placed =
  (basePath: string): Change =>
  () => ({ basePath });

const clear =
  (plainHttp: NonNullable<Policy["plainHttp"]>): Change =>
  () => ({ plainHttp });

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

const base = { slot: "base path" } as const;
const port = { slot: "plain HTTP", needs: { https: true } } as const;

/** What comes before an endpoint: base paths, proxies, header checks, the order of checks. */
export const gatewayVariants: readonly Variant[] = [
  row("base-path", "The base URL has a path.", base).by(placed("/fx/v1")),
  row("base-path-sandbox", "The base URL has the path of a sandbox.", base).by(placed("/sandbox/api/corporate-fx")),
  row("body-before-token", "The body is checked before the token.", { answers: "OPEN-23" }).by(() => ({
    order: ["read", "authenticate"],
  })),
  row("challenge-absent", "A 401 comes without WWW-Authenticate.", { answers: "OPEN-25" }).by(
    answers((answer) => answer.refusal === "token", set({ headers: {} })),
  ),
  row("methods-not-found", "Another method on a known path gets a 404.", { answers: "OPEN-37" }).by(
    answers((answer) => answer.refusal === "method", set({ status: 404, headers: {} })),
  ),
  row("methods-redirected", "Another method on a known path is redirected to the documentation.", {
    answers: "OPEN-37",
  }).by(
    answers(
      (answer) => answer.refusal === "method",
      set({ status: 303, headers: { location: "/docs" }, body: undefined }),
    ),
  ),
  row("proxy-plain-paths", "A proxy refuses paths with percent-encoded characters, with an HTML page.").by(
    instead((call) => call.path.includes("%"), htmlPage("400 Bad Request")),
  ),
  row("headers-limited", "A gateway refuses long headers and non-ASCII headers, with an HTML page.").by(
    instead(
      (call) => Object.values(call.headers).some((value) => /.{4097}|[^\x00-\x7f]/.test(String(value))),
      htmlPage("431 Request Header Fields Too Large"),
    ),
  ),
  row("not-utf-8-refused-by-framework", "A framework refuses bytes that are not UTF-8 in an error of its own.").by(
    instead(({ bytes, url }) => !isUtf8(bytes) || !isDecodable(url), {
      status: 400,
      headers: {},
      body: { status: 400, error: "Bad Request" },
    }),
  ),
  row("queries-encoded", "A query with other characters than RFC 3986 allows is refused, with an HTML page.").by(
    instead(({ url }) => !/^[\w\-.~!$&'()*+,;=:@/?%]*$/.test(url), htmlPage("400 Bad Request")),
  ),
  row("methods-unknown", "Another method than GET and POST gets a 501 in plain text.", { answers: "OPEN-37" }).by(
    instead((call) => !["GET", "POST"].includes(call.method), {
      status: 501,
      headers: { "content-type": "text/plain" },
      text: "Not implemented",
    }),
  ),
  row("user-agent-demanded", "A request without User-Agent is refused.").by(
    instead((call) => !call.headers["user-agent"], problem(403, "Who are you?")),
  ),
  row("accept-demanded", "A request is refused unless its Accept header names application/json.").by(
    instead((call) => !/application\/json/.test(call.headers.accept ?? ""), problem(406, "Accept application/json")),
  ),
  row("length-demanded", "A POST without Content-Length is refused.").by(
    instead(
      (call) => call.method === "POST" && call.headers["content-length"] === undefined,
      problem(411, "Content-Length is missing"),
    ),
  ),
  row("content-type-exact", "A Content-Type with parameters is refused.", {
    answers: "OPEN-36",
  }).by(
    instead(
      (call) =>
        call.bytes.length > 0 &&
        call.headers["content-type"] !== undefined &&
        /json.*;/i.test(call.headers["content-type"]),
      problem(415, "application/json, please"),
    ),
  ),
  row("headers-bounded", "A request with more than 8 KB of headers is refused.").by(
    instead(
      (call) =>
        Object.entries(call.headers).reduce((size, [name, value]) => size + name.length + String(value).length, 0) >
        8_192,
      problem(431, "The headers are too large"),
    ),
  ),
  row("plain-http-page", "Plain HTTP on the TLS port gets a 400 with an HTML page.", port).by(
    clear((_request, response) => {
      response.writeHead(400, { "content-type": "text/html", connection: "close" });
      response.end("<html><body>The plain HTTP request was sent to HTTPS port</body></html>");
    }),
  ),
  row("plain-http-redirect", "Plain HTTP on the TLS port is redirected to HTTPS.", port).by(
    clear((request, response) => {
      response
        .writeHead(308, {
          location: `https://${request.headers.host ?? "localhost"}${request.url ?? "/"}`,
          connection: "close",
        })
        .end();
    }),
  ),
  row("plain-http-refused", "Plain HTTP on the TLS port is refused in JSON.", port).by(
    clear((_request, response) => {
      response.writeHead(403, { "content-type": "application/json", connection: "close" });
      response.end(JSON.stringify({ message: "HTTPS, please" }));
    }),
  ),
  row("plain-http-upgrade", "Plain HTTP on the TLS port gets a 426 without a body.", port).by(
    clear((_request, response) => {
      response.writeHead(426, { upgrade: "TLS/1.2, HTTP/1.1", connection: "close, upgrade" }).end();
    }),
  ),
];

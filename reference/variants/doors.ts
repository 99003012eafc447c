import { answers, around, problem } from "../change.ts";
import type { Answer, Call, Change, Policy } from "../policy.ts";
import type { Variant } from "./variant.ts";
import { row } from "./row.ts";

const demanding = (isWrong: (call: Call) => boolean, answer: Answer): Change =>
  around(async (call, next) => (isWrong(call) ? answer : next(call)));

const placed =
  (basePath: string): Change =>
  () => ({ basePath });

const clear =
  (plain: NonNullable<Policy["plain"]>): Change =>
  () => ({ plain });

const base = { slot: "base path" } as const;
const port = { slot: "plain HTTP", needs: { https: true } } as const;

/** What stands between a client and the endpoints: paths, proxies, headers, the order of checks. */
export const doorVariants: readonly Variant[] = [
  row("base-path", "The API is below a path.", placed("/fx/v1"), base),
  row("base-path-sandbox", "The API is below the path of a sandbox.", placed("/sandbox/api/corporate-fx"), base),
  row("body-before-token", "The body is checked before the token.", () => ({ order: ["read", "authenticate"] }), {
    answers: "OPEN-23",
  }),
  row(
    "challenge-absent",
    "A 401 comes without WWW-Authenticate.",
    answers(
      (answer) => answer.refusal === "token",
      (answer) => ({ ...answer, headers: {} }),
    ),
    { answers: "OPEN-25" },
  ),
  row(
    "methods-not-found",
    "Another method on a known path is not found.",
    answers(
      (answer) => answer.refusal === "method",
      (answer) => ({ ...answer, status: 404, headers: {} }),
    ),
    { answers: "OPEN-37" },
  ),
  row(
    "proxy-plain-paths",
    "A proxy refuses paths with percent-encoded characters, in HTML.",
    demanding((call) => call.path.includes("%"), {
      status: 400,
      headers: { "content-type": "text/html" },
      text: "<html><body><h1>400 Bad Request</h1></body></html>",
    }),
  ),
  row(
    "user-agent-demanded",
    "A request without User-Agent is refused.",
    demanding((call) => !call.headers["user-agent"], problem(403, "Who are you?")),
  ),
  row(
    "accept-demanded",
    "A request that does not accept JSON by name is refused.",
    demanding((call) => !/application\/json/.test(call.headers.accept ?? ""), problem(406, "Accept application/json")),
  ),
  row(
    "length-demanded",
    "A POST without Content-Length is refused.",
    demanding(
      (call) => call.method === "POST" && call.headers["content-length"] === undefined,
      problem(411, "Content-Length is missing"),
    ),
  ),
  row(
    "content-type-exact",
    "A body is declared as application/json without parameters, or refused.",
    demanding(
      (call) =>
        call.bytes.length > 0 &&
        call.headers["content-type"] !== undefined &&
        /json.*;/i.test(call.headers["content-type"]),
      problem(415, "application/json, please"),
    ),
    { answers: "OPEN-36" },
  ),
  row(
    "headers-bounded",
    "A request whose headers have more than 8 KB is refused.",
    demanding(
      (call) =>
        Object.entries(call.headers).reduce((size, [name, value]) => size + name.length + String(value).length, 0) >
        8_192,
      problem(431, "The headers are too large"),
    ),
  ),
  row(
    "plain-http-page",
    "Plain HTTP on the port of TLS is answered with a page of 400.",
    clear((_request, response) => {
      response.writeHead(400, { "content-type": "text/html", connection: "close" });
      response.end("<html><body>The plain HTTP request was sent to HTTPS port</body></html>");
    }),
    port,
  ),
  row(
    "plain-http-redirect",
    "Plain HTTP on the port of TLS is redirected to HTTPS.",
    clear((request, response) => {
      response
        .writeHead(308, {
          location: `https://${request.headers.host ?? "localhost"}${request.url ?? "/"}`,
          connection: "close",
        })
        .end();
    }),
    port,
  ),
  row(
    "plain-http-refused",
    "Plain HTTP on the port of TLS is refused in JSON.",
    clear((_request, response) => {
      response.writeHead(403, { "content-type": "application/json", connection: "close" });
      response.end(JSON.stringify({ message: "HTTPS, please" }));
    }),
    port,
  ),
  row(
    "plain-http-upgrade",
    "Plain HTTP on the port of TLS is told to upgrade, without a body.",
    clear((_request, response) => {
      response.writeHead(426, { upgrade: "TLS/1.2, HTTP/1.1", connection: "close, upgrade" }).end();
    }),
    port,
  ),
];

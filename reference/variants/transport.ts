import { gzipSync } from "node:zlib";
import { instead, rawResponse } from "../change.ts";
import { set } from "../edits.ts";
import type { Change, Policy, RawResponse } from "../policy.ts";
import { row } from "./variant.ts";
import type { Variant } from "./variant.ts";

type Deliver = Policy["deliver"];

const delivering =
  (change: (base: Deliver) => Deliver): Change =>
  (base) => ({ deliver: change(base.deliver) });

const compressed: Change = delivering((deliver) => (encoded, response, call) => {
  const welcome = /\bgzip\b/.test(call.headers["accept-encoding"]?.toString() ?? "") && encoded.bytes.length > 0;
  deliver(welcome ? zipped(encoded) : encoded, response, call);
});

function zipped(encoded: RawResponse): RawResponse {
  const bytes = gzipSync(encoded.bytes, { level: 1 });
  const headers = { ...encoded.headers, "content-encoding": "gzip", vary: "accept-encoding" };
  return { ...encoded, headers: { ...headers, "content-length": String(bytes.length) }, bytes };
}

const chunked: Change = delivering(() => (encoded, response) => {
  const { "content-length": _length, ...headers } = encoded.headers;
  const half = Math.ceil(encoded.bytes.length / 2);
  response.writeHead(encoded.status, headers);
  response.write(encoded.bytes.subarray(0, half));
  response.end(encoded.bytes.subarray(half));
});

const typed = (type: string): Change =>
  rawResponse(
    () => true,
    (encoded) =>
      encoded.headers["content-type"] === "application/json"
        ? { ...encoded, headers: { ...encoded.headers, "content-type": type } }
        : encoded,
  );

const headed = (headers: Readonly<Record<string, string>>): Change =>
  delivering(
    (deliver) => (encoded, response, call) =>
      deliver({ ...encoded, headers: { ...encoded.headers, ...headers } }, response, call),
  );

const media = { slot: "media type" } as const;
const framing = { slot: "framing" } as const;
const connection = { slot: "connection" } as const;

/** Other ways to send the same response. */
export const transportVariants: readonly Variant[] = [
  row("interim-100", "The response to each body is preceded by a 100 that was not requested.", {
    slot: "interim answers",
  }).by(
    delivering((deliver) => (encoded, response, call) => {
      if (call.bytes.length > 0) response.writeContinue();
      deliver(encoded, response, call);
    }),
  ),
  row("type-charset", "The media type has the parameter charset.", media).by(typed("application/json; charset=utf-8")),
  row("type-capitals", "The media type has upper-case letters.", media).by(typed("Application/JSON; charset=UTF-8")),
  row("type-parameters", "The media type has parameters, without spaces.", media).by(
    typed('application/json;profile="fx";charset=utf-8'),
  ),
  row("gzip", "Responses are compressed if the client accepts it.", framing).by(compressed),
  row("chunked", "Responses are chunked, without Content-Length.", framing).by(chunked),
  row("chunked-gzip", "Responses are compressed and chunked.", framing).by((base) => {
    const inChunks = { ...base, ...chunked(base) };
    return compressed(inChunks);
  }),
  row(
    "connection-close",
    "Each connection serves one request and announces its end with Connection: close.",
    connection,
  ).by(headed({ connection: "close" })),
  row("connection-cut", "Each connection ends after one response, without Connection: close.", connection).by(
    delivering((deliver) => (encoded, response, call) => {
      response.once("finish", () => response.socket?.end());
      deliver(encoded, response, call);
    }),
  ),
  row("connection-idle-50", "A connection ends after 50 ms of idleness.", connection).by(() => ({ idle: 50 })),
  row("connection-idle-408", "A request on a connection that was idle for 400 ms gets a 408.", connection).by(
    instead((call) => call.idle > 400, { status: 408, headers: { connection: "close" } }),
  ),
  row("connection-few-requests", "A connection ends after four requests.", connection).by(() => ({ perConnection: 4 })),
  row("reason-phrases-empty", "Status lines have no reason phrase.").by(rawResponse(() => true, set({ reason: "" }))),
  row("headers-many", "Responses have many more headers.", { answers: "OPEN-43" }).by(
    headed({
      "strict-transport-security": "max-age=31536000",
      "cache-control": "no-store",
      "set-cookie": "session=abc; HttpOnly; Secure",
      "x-ratelimit-remaining": "42",
      "api-version": "beta",
      "content-security-policy": "default-src 'none'",
      via: "1.1 gateway",
    }),
  ),
  row("request-id-absent", "Responses have no x-request-id.").by(
    rawResponse(
      () => true,
      (encoded) => {
        const { "x-request-id": _id, ...headers } = encoded.headers;
        return { ...encoded, headers };
      },
    ),
  ),
];

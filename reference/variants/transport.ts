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

/** Other ways to carry the same answer. */
export const transportVariants: readonly Variant[] = [
  row("interim-100", "100 Continue comes before the answer to each body, unrequested.", { slot: "interim answers" }).by(
    delivering((deliver) => (encoded, response, call) => {
      if (call.bytes.length > 0) response.writeContinue();
      deliver(encoded, response, call);
    }),
  ),
  row("type-charset", "The media type has the parameter charset.", media).by(typed("application/json; charset=utf-8")),
  row("type-capitals", "The media type is written with capitals.", media).by(typed("Application/JSON; charset=UTF-8")),
  row("type-parameters", "The media type has parameters, without spaces.", media).by(
    typed('application/json;profile="fx";charset=utf-8'),
  ),
  row("gzip", "Answers are compressed where that is welcome.", framing).by(compressed),
  row("chunked", "Answers come in chunks, without their length.", framing).by(chunked),
  row("chunked-gzip", "Answers are compressed and come in chunks.", framing).by((base) => {
    const inChunks = { ...base, ...chunked(base) };
    return compressed(inChunks);
  }),
  row("connection-close", "Each connection carries one request, and says so.", connection).by(
    headed({ connection: "close" }),
  ),
  row("connection-cut", "Each connection is ended after an answer, without a word.", connection).by(
    delivering((deliver) => (encoded, response, call) => {
      response.once("finish", () => response.socket?.end());
      deliver(encoded, response, call);
    }),
  ),
  row("connection-idle-50", "A connection that is idle for 50 ms is ended.", connection).by(() => ({ idle: 50 })),
  row("connection-idle-408", "A request on a connection that was idle for 150 ms is answered with 408.", connection).by(
    instead((call) => call.idle > 150, { status: 408, headers: { connection: "close" } }),
  ),
  row("connection-few-requests", "A connection carries four requests.", connection).by(() => ({ perConnection: 4 })),
  row("reason-phrases-empty", "Status lines have no reason phrase.").by(rawResponse(() => true, set({ reason: "" }))),
  row("headers-many", "Answers carry the headers of proxies and browsers.", { answers: "OPEN-43" }).by(
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
  row("request-id-absent", "Answers carry no id of the request.").by(
    rawResponse(
      () => true,
      (encoded) => {
        const { "x-request-id": _id, ...headers } = encoded.headers;
        return { ...encoded, headers };
      },
    ),
  ),
];

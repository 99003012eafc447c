import { gzipSync } from "node:zlib";
import { rawResponse, withBytes, set } from "../change.ts";
import type { Call, Change, Policy, RawResponse } from "../policy.ts";
import { row, rowsWith, type Variant } from "./variant.ts";

type Deliver = Policy["deliver"];

function delivering(change: (base: Deliver) => Deliver): Change {
  return (base) => ({ deliver: change(base.deliver) });
}

function headers(change: (headers: RawResponse["headers"]) => RawResponse["headers"]): Change {
  return rawResponse(
    () => true,
    (raw) => ({ ...raw, headers: change(raw.headers) }),
  );
}

const compressed: Change = delivering((deliver) => (raw, response, call) => {
  const welcome =
    /\bgzip\b/.test(call.headers["accept-encoding"]?.toString() ?? "") && raw.bytes.length > 0;
  const zipped = withBytes(raw, gzipSync(raw.bytes, { level: 1 }));
  const encoding = { "content-encoding": "gzip", vary: "accept-encoding" };
  deliver(
    welcome ? { ...zipped, headers: { ...zipped.headers, ...encoding } } : raw,
    response,
    call,
  );
});

const chunked: Change = delivering(() => (raw, response) => {
  const { "content-length": _length, ...others } = raw.headers;
  const half = Math.ceil(raw.bytes.length / 2);
  response.writeHead(raw.status, others);
  response.write(raw.bytes.subarray(0, half));
  response.end(raw.bytes.subarray(half));
});

function typed(type: string): Change {
  return headers((given) =>
    given["content-type"] === "application/json" ? { ...given, "content-type": type } : given,
  );
}

function before(act: (...delivery: Parameters<Deliver>) => void): Change {
  return delivering((deliver) => (...delivery) => {
    act(...delivery);
    deliver(...delivery);
  });
}

const many = {
  "strict-transport-security": "max-age=31536000",
  "cache-control": "no-store",
  "set-cookie": "session=abc; HttpOnly; Secure",
  "x-ratelimit-remaining": "42",
  "api-version": "beta",
  "content-security-policy": "default-src 'none'",
  via: "1.1 gateway",
} as const;

const late = { status: 408, headers: { connection: "close" } } as const;
const isLate = ({ idle }: Call): boolean => idle > 400;
const media = rowsWith({ slot: "media type" });
const framing = rowsWith({ slot: "framing" });
const connection = rowsWith({ slot: "connection" });

export const transportVariants: readonly Variant[] = [
  row("interim-100", "A 100 that was not requested precedes each response to a body.", {
    slot: "interim answers",
  }).by(before((_raw, response, call) => void (call.bytes.length > 0 && response.writeContinue()))),
  media("type-charset", "The media type has the parameter charset.").by(
    typed("application/json; charset=utf-8"),
  ),
  media("type-capitals", "The media type has upper-case letters.").by(
    typed("Application/JSON; charset=UTF-8"),
  ),
  media("type-empty-parameter", "The media type ends with a semicolon.").by(
    typed("application/json;"),
  ),
  media("coded-identity", "Responses name the content coding identity.").by(
    rawResponse(
      () => true,
      (raw) => ({ ...raw, headers: { ...raw.headers, "content-encoding": "identity" } }),
    ),
  ),
  media("type-parameters", "The media type has parameters.").by(
    typed('application/json;profile="fx";charset=utf-8'),
  ),
  framing("gzip", "Responses are compressed if the client accepts it.").by(compressed),
  framing("chunked", "Responses are chunked, without Content-Length.").by(chunked),
  framing("chunked-gzip", "Responses are compressed and chunked.").by((base) =>
    compressed({ ...base, ...chunked(base) }),
  ),
  connection("connection-close", "Each connection announces its end after one request.").by(
    headers(set(late.headers)),
  ),
  connection(
    "connection-cut",
    "Each connection ends after one response, without Connection: close.",
  ).by(before((_raw, response) => response.once("finish", () => response.socket?.end()))),
  connection("connection-idle-50", "A connection ends after 50 ms of idleness.").by(() => ({
    idle: 50,
  })),
  connection("connection-idle-408", "After 400 ms of idleness, a request gets a 408.").gives(
    late,
    isLate,
  ),
  connection("connection-few-requests", "A connection ends after four requests.").by(() => ({
    perConnection: 4,
  })),
  row("reason-phrases-empty", "Status lines have no reason phrase.").by(
    rawResponse(() => true, set({ reason: "" })),
  ),
  row("headers-many", "Responses have more headers.", { answers: "OPEN-43" }).by(
    headers(set(many)),
  ),
  row("request-id-absent", "Responses have no x-request-id.").by(
    headers(({ "x-request-id": _id, ...given }) => given),
  ),
];

import { decodedBody, readableBody, type BodyDefect } from "../../model/bodies.ts";
import { fieldOf, parsedJson, utf8 } from "../../model/exchange.ts";
import { memberOf } from "../../spec/json.ts";
import type { Fields } from "../../model/request.ts";
import type { Json } from "../../spec/json.ts";
import type { WatchedExchange } from "./watched.ts";

/** The longest time of an exchange, in milliseconds: a day. What is longer comes from a broken clock. */
const longestTime = 86_400_000;

/** The most bytes that a body may have after decoding. A larger one is not decoded. */
const longestDecoded = 32 * 2 ** 20;

/** The exchange in an entry of a HAR file, or why the entry is left out, in words. */
export function watchedOf(
  json: Json,
  place: string,
  attached: FileBeside,
): WatchedExchange | string {
  const request = memberOf(json, "request");
  const method = memberOf(request, "method");
  const url = memberOf(request, "url");
  const status = at(json, "response", "status");
  if (typeof method !== "string" || typeof url !== "string" || !/^https?:/i.test(url))
    return "no HTTP request";
  if (typeof status !== "number" || status < 100) return "there is no response";
  if (!Number.isInteger(status) || status > 999) return "no HTTP request";
  const headers = fieldsOf(memberOf(request, "headers"));
  if (method === "OPTIONS") return "a browser's OPTIONS request";
  // Playwright marks a response that `route.fulfill` made up.
  if (memberOf(json, "_wasFulfilled") === true)
    return "the test that was recorded made the response up";
  if (isCached(json, headers, status)) return "the response came from a cache";
  const body = requestBody(request, headers, attached);
  const { received, isExact } = receivedOf(json, status, attached);
  return {
    request: {
      method,
      url,
      headers,
      body: body === "unknown" ? undefined : body,
      json: body === undefined || body === "unknown" ? undefined : parsedJson(body),
    },
    response: received,
    withoutRequestBody: body === "unknown",
    withBytes: isExact,
    startedAt: timeOf(memberOf(json, "startedDateTime")),
    place,
  };
}

/**
 * Whether the server did not send the response for this request: it comes from a cache or a service
 * worker, or is a `304`.
 */
function isCached(entry: Json, headers: Fields, status: number): boolean {
  const response = memberOf(entry, "response");
  const marks = ["_fromCache", "_fetchedViaServiceWorker"].flatMap((name) => [
    at(entry, name),
    at(response, name),
  ]);
  if (marks.some((mark) => mark !== undefined && mark !== null && mark !== false)) return true;
  // Safari says from where it got a response.
  const fetched = memberOf(entry, "_fetchType");
  if (typeof fetched === "string" && /cache|worker/i.test(fetched)) return true;
  // Playwright counts only bytes from the network: 0 means a cached response. If the server
  // confirmed it with 304, Playwright shows the cached response in full.
  if (memberOf(response, "_transferSize") === 0) return true;
  return (
    status === 304 &&
    ["if-none-match", "if-modified-since"].some((name) => fieldOf(headers, name) !== undefined)
  );
}

function fieldsOf(list: Json | undefined): Fields {
  return (Array.isArray(list) ? (list as readonly Json[]) : []).flatMap((field) => {
    const name = memberOf(field, "name");
    const value = memberOf(field, "value");
    // HTTP/2 has the method and the path among the headers, under names such as `:path`: leave them
    // out.
    return typeof name === "string" && typeof value === "string" && !name.startsWith(":")
      ? [[name, value] as const]
      : [];
  });
}

/**
 * The body of a request. Undefined if it had none; `unknown` if it had one, or may have had one,
 * that is not in the recording.
 */
function requestBody(request: Json | undefined, headers: Fields, attached: FileBeside) {
  const post = memberOf(request, "postData");
  const length = fieldOf(headers, "content-length");
  const body = recordedBody(post, attached);
  const size = Math.max(Number(memberOf(request, "bodySize") ?? -1), Number(length ?? -1));
  if (body !== undefined && body.bytes.length > 0)
    return body.isUnclear || isBeginning(body, size) ? "unknown" : body.bytes;
  // mitmproxy writes null in the place of a body that it did not keep.
  const isNull = memberOf(post, "text") === null;
  if (size > 0 || isNull || fieldOf(headers, "transfer-encoding") !== undefined) return "unknown";
  // Without a word of its size, a body that is not there may have been left out. So may one that
  // has a media type, unless its length is stated too.
  if (size < 0) return "unknown";
  if (body !== undefined) return body.bytes;
  return length !== undefined || fieldOf(headers, "content-type") === undefined
    ? undefined
    : "unknown";
}

function receivedOf(entry: Json, status: number, attached: FileBeside) {
  const content = at(entry, "response", "content");
  const time = at(entry, "time");
  const fields = fieldsOf(at(entry, "response", "headers"));
  // If a recording has no headers, the media type that stands beside them is the Content-Type.
  const type = textOr(at(content, "mimeType"));
  const headers = fields.length > 0 || type === "" ? fields : [["content-type", type] as const];
  const took = typeof time === "number" && time >= 0 && time <= longestTime ? time : 0;
  const statusText = textOr(at(entry, "response", "statusText"));
  const recorded = recordedBody(content, attached);
  const isExact = recorded?.isExact === true;
  const body = isExact ? decoded(recorded.bytes, headers) : (recorded?.bytes ?? Buffer.alloc(0));
  const readable = readableBody(body);
  const defect = defectOf(entry, recorded, headers) ?? readable.defect;
  const response = { status, statusText, headers, body: readable.body, waited: took, took };
  return { received: { ...response, defect }, isExact };
}

/**
 * The decoded content of a body. Most tools record content after decoding, whatever
 * Content-Encoding says; some record the bytes as they came.
 */
function decoded(bytes: Buffer, headers: Fields): Uint8Array {
  if (utf8(bytes) !== undefined) return bytes;
  const read = decodedBody(bytes, headers, longestDecoded);
  return read.defect === undefined ? read.bytes : bytes;
}

const kinds: readonly BodyDefect["kind"][] = ["too large", "too many", "cut", "coding"];

/**
 * The defect of a response body: the one that the recording names, or that the body is missing
 * there. Undefined if it is there, or if the recording shows that there was none.
 */
function defectOf(
  entry: Json,
  body: RecordedBody | undefined,
  headers: Fields,
): BodyDefect | undefined {
  const content = at(entry, "response", "content");
  const kind = kinds.find((one) => one === at(content, "_defect", "kind"));
  if (kind !== undefined) return { kind, text: textOr(at(content, "_defect", "text"), kind) };
  const size = Number(at(content, "size") ?? -1);
  if (body?.isUnclear === true) return { kind: "missing", text: unclear };
  if (body !== undefined && body.bytes.length > 0)
    return isBeginning(body, size) ? { kind: "missing", text: cutOff } : undefined;
  if (body === undefined && typeof at(content, "_file") === "string")
    return { kind: "missing", text: noFile };
  const isNothing =
    at(entry, "response", "bodySize") === 0 || fieldOf(headers, "content-length") === "0";
  const isEmpty =
    body === undefined ? size === 0 && isNothing : size <= 0 && !isDropped(entry, headers);
  return isEmpty ? undefined : { kind: "missing", text: noBody };
}

/** Why a body is not judged, in words that follow "not judged:". */
const noBody = "not in the recording";
const noFile = "not in the recording, nor in a file beside it";
const cutOff = "cut off in the recording";
const unclear = "text, or a character for each byte";

/**
 * Whether a recording has only the beginning of a long body, as some tools keep it. `size` is the
 * size of the whole body, in bytes, if the recording states it.
 */
function isBeginning({ bytes, isExact }: RecordedBody, size: number): boolean {
  if (isExact || size <= bytes.length) return false;
  try {
    JSON.parse(bytes.toString());
    return false;
  } catch {
    return true;
  }
}

/**
 * Whether mitmproxy has an empty text because it did not keep the body, or because the body never
 * ended.
 */
function isDropped(entry: Json, headers: Fields): boolean {
  const isChunked = /chunked/i.test(fieldOf(headers, "transfer-encoding") ?? "");
  if (isChunked) return at(entry, "timings", "receive") === 0;
  // A 204 or 304 has no body. If it has a Content-Length, that is the length of another response.
  const isBodiless = [204, 304].includes(Number(at(entry, "response", "status")));
  return Number(fieldOf(headers, "content-length") ?? 0) > 0 && !isBodiless;
}

function at(json: Json | undefined, ...names: readonly string[]): Json | undefined {
  return names.reduce(memberOf, json);
}

function textOr(value: Json | undefined, otherwise = ""): string {
  return typeof value === "string" ? value : otherwise;
}

function timeOf(value: Json | undefined): number {
  return Date.parse(textOr(value)) || 0;
}

export interface RecordedBody {
  readonly bytes: Buffer;
  /**
   * Whether the recording has the bytes that were sent, and not only a text that a tool made of
   * them.
   */
  readonly isExact: boolean;
  /** Whether nothing shows if this is the text, or has a character for each byte of it. */
  readonly isUnclear?: boolean;
}

/**
 * Returns the content of the file with this name that stands beside the recording. Undefined if
 * there is no such file.
 */
export type FileBeside = (name: string) => Buffer | undefined;

/**
 * The body that `postData` or `content` has as text, or that is in a file named there. Undefined if
 * there is neither.
 */
export function recordedBody(
  holder: Json | undefined,
  attached: FileBeside,
): RecordedBody | undefined {
  const text = memberOf(holder, "text");
  const name = memberOf(holder, "_file");
  // With content "attach", Playwright writes bodies to their own files and has an empty text in the
  // entry.
  if (typeof name === "string") {
    const bytes = attached(name);
    return bytes === undefined ? undefined : { bytes, isExact: true };
  }
  if (typeof text !== "string") return undefined;
  const encoding = memberOf(holder, "encoding") ?? memberOf(holder, "_encoding");
  if (encoding === "base64" && isBase64(text))
    return { bytes: Buffer.from(text, "base64"), isExact: true };
  if (strayByte.test(text)) return { bytes: bytesWithStray(text), isExact: true };
  // Some exporters write a character for each byte. If these are UTF-8, nothing shows what it is.
  const isUnclear =
    /^[\0-\xff]*[\x80-\xff]/.test(text) && utf8(Buffer.from(text, "latin1")) !== undefined;
  return { bytes: Buffer.from(text), isExact: false, isUnclear };
}

/**
 * Whether a text that a recording calls base64 is that. Firefox calls plain text so too. What is
 * JSON as it stands, and not if it is decoded, is plain text.
 */
function isBase64(text: string): boolean {
  if (!/^[\w+/\s-]*={0,2}$/.test(text.trimEnd())) return false;
  return (
    parsedJson(Buffer.from(text)) === undefined ||
    parsedJson(Buffer.from(text, "base64")) !== undefined
  );
}

/**
 * Matches what mitmproxy writes for a byte that is not UTF-8: half of a surrogate pair, such as
 * \udc80 for the byte 80.
 */
const strayByte = /[\udc80-\udcff]/u;

function bytesWithStray(text: string): Buffer {
  return Buffer.concat(
    // In latin1, only the last eight bits of such a half are written, and these are the byte.
    text
      .split(/([\udc80-\udcff]+)/u)
      .map((part, index) => Buffer.from(part, index % 2 === 0 ? "utf8" : "latin1")),
  );
}

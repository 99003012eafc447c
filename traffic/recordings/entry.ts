import { decodedBody, type ReadBody } from "../../harness/transport/client.ts";
import { asHeaderWords } from "../../harness/recording/redaction.ts";
import {
  fieldOf,
  memberOf,
  parsedJson,
  utf8,
  type BodyDefect,
  type Fields,
  type Json,
  type ReceivedResponse,
} from "../../model/exchange.ts";
import type { Watched } from "../watched.ts";
import { RecordingError, type EntryText } from "./entries.ts";
import { recordedBody, type Attached, type RecordedBody } from "./recorded-body.ts";

/** Why an entry is not judged. */
export type Unjudged = "no response" | "cached" | "made up" | "preflight" | "too long" | "no HTTP";

/** Bytes of a body after decoding above which it is not judged. */
const longestDecoded = 32 * 2 ** 20;

/**
 * The exchange of an entry of a HAR file, or why it is left out. Throws RecordingError if the entry is not well formed.
 */
export const watchedOf = (entry: EntryText, place: string, attached: Attached): Watched | Unjudged => {
  if ("tooLong" in entry) return "too long";
  const json = parsed(entry.text, place);
  const [request, response] = [memberOf(json, "request"), memberOf(json, "response")];
  const [method, url, status] = [memberOf(request, "method"), memberOf(request, "url"), memberOf(response, "status")];
  if (typeof method !== "string" || typeof url !== "string" || !/^https?:/i.test(url)) return "no HTTP";
  if (typeof status !== "number" || status < 100) return "no response";
  const headers = fieldsOf(memberOf(request, "headers"));
  if (method === "OPTIONS") return "preflight";
  // Playwright marks what `route.fulfill` put in the place of a response.
  if (memberOf(json, "_wasFulfilled") === true) return "made up";
  if (isCached(json, headers, status)) return "cached";
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
};

/** Recordings of fxconform have pseudonyms instead of keys and tokens. A header cannot contain them as they are. */
const parsed = (text: string, place: string): Json => {
  try {
    return JSON.parse(asHeaderWords(text)) as Json;
  } catch {
    throw new RecordingError(`cannot be read: ${place} is not well-formed JSON`);
  }
};

/**
 * A response that the server did not send for this request: from a cache, from a service worker of the page, or `304`,
 * because the client has it already.
 */
const isCached = (entry: Json, headers: Fields, status: number): boolean => {
  const response = memberOf(entry, "response");
  const marks = ["_fromCache", "_fetchedViaServiceWorker"].flatMap((name) => [
    memberOf(entry, name),
    memberOf(response, name),
  ]);
  if (marks.some((mark) => mark !== undefined && mark !== null && mark !== false)) return true;
  // Safari says how it got a response.
  const fetched = memberOf(entry, "_fetchType");
  if (typeof fetched === "string" && /cache|worker/i.test(fetched)) return true;
  // Playwright records only bytes from the network, and shows a revalidated response of the cache as a full response.
  if (memberOf(response, "_transferSize") === 0) return true;
  const isCopy = memberOf(response, "bodySize") === 0 && Number(memberOf(memberOf(response, "content"), "size")) > 0;
  const isConditional = ["if-none-match", "if-modified-since"].some((name) => fieldOf(headers, name) !== undefined);
  return isConditional && (status === 304 || isCopy);
};

const fieldsOf = (list: Json | undefined): Fields =>
  (Array.isArray(list) ? (list as readonly Json[]) : []).flatMap((field) => {
    const [name, value] = [memberOf(field, "name"), memberOf(field, "value")];
    // HTTP/2 has the parts of the request line among the headers.
    return typeof name === "string" && typeof value === "string" && !name.startsWith(":")
      ? [[name, value] as const]
      : [];
  });

/** `unknown`: the request had a body, or may have had one, and the recording does not hold it. */
const requestBody = (
  request: Json | undefined,
  headers: Fields,
  attached: Attached,
): Uint8Array | undefined | "unknown" => {
  const post = memberOf(request, "postData");
  const length = fieldOf(headers, "content-length");
  const body = recordedBody(post, attached, length);
  const size = Math.max(Number(memberOf(request, "bodySize") ?? -1), Number(length ?? -1));
  if (body !== undefined && body.bytes.length > 0) return body.bytes;
  if (size > 0 || isLeftOut(post, body)) return "unknown";
  if (body !== undefined) return body.bytes;
  return size === 0 || (post === undefined && fieldOf(headers, "content-type") === undefined) ? undefined : "unknown";
};

/** mitmproxy has null for a body that it did not keep, Playwright an empty text for bytes without a media type. */
const isLeftOut = (post: Json | undefined, body: RecordedBody | undefined): boolean =>
  memberOf(post, "text") === null || (body !== undefined && memberOf(post, "mimeType") === "application/octet-stream");

const receivedOf = (
  entry: Json,
  status: number,
  attached: Attached,
): { readonly received: ReceivedResponse; readonly isExact: boolean } => {
  const [response, time] = [memberOf(entry, "response"), memberOf(entry, "time")];
  const content = memberOf(response, "content");
  const headers = withMediaType(fieldsOf(memberOf(response, "headers")), memberOf(content, "mimeType"));
  const took = typeof time === "number" && time >= 0 ? time : 0;
  const statusText = memberOf(response, "statusText");
  const body = recordedBody(content, attached);
  const isExact = body?.isExact === true;
  const read = isExact ? decoded(body.bytes, headers) : { bytes: body?.bytes ?? Buffer.alloc(0) };
  const defect = defectOf(entry, body, headers);
  const received = {
    status,
    statusText: typeof statusText === "string" ? statusText : "",
    headers,
    body: read.bytes,
    waited: took,
    took,
    ...(defect === undefined ? {} : { defect }),
  };
  return { received, isExact };
};

/** Most tools record content after decoding, whatever Content-Encoding says; some record the bytes as they came. */
const decoded = (bytes: Buffer, headers: Fields): ReadBody => {
  if (utf8(bytes) !== undefined) return { bytes };
  const read = decodedBody(bytes, headers, longestDecoded);
  return read.defect === undefined ? read : { bytes };
};

/** Some recordings have the media type beside the headers alone. */
const withMediaType = (headers: Fields, type: Json | undefined): Fields =>
  headers.length > 0 || typeof type !== "string" || type === "" ? headers : [["content-type", type]];

const kinds: readonly BodyDefect["kind"][] = ["too large", "cut", "coding"];

/** A body that is missing from the recording, unless the recording shows that there was none. */
const defectOf = (entry: Json, body: RecordedBody | undefined, headers: Fields): BodyDefect | undefined => {
  const response = memberOf(entry, "response");
  const content = memberOf(response, "content");
  const known = memberOf(content, "_defect");
  const kind = kinds.find((one) => one === memberOf(known, "kind"));
  const why = memberOf(known, "text");
  if (kind !== undefined) return { kind, text: typeof why === "string" ? why : kind };
  if (body !== undefined && body.bytes.length > 0) return undefined;
  if (typeof memberOf(content, "_file") === "string" && body === undefined) return { kind: "missing", text: noFile };
  const size = Number(memberOf(content, "size") ?? -1);
  const length = fieldOf(headers, "content-length");
  const isEmpty =
    body === undefined
      ? size === 0 && (memberOf(response, "bodySize") === 0 || length === "0")
      : size <= 0 && !isDropped(entry, headers);
  return isEmpty ? undefined : { kind: "missing", text: noBody };
};

/** Why a body is not judged, as it reads after "not judged:". */
const noBody = "not in the recording";
const noFile = "not in the recording, nor in a file beside it";

/** Statuses of responses whose Content-Length is that of another one. */
const withoutBody = new Set([204, 304]);

/** mitmproxy has an empty text for a body that it did not keep, or of which no end came. */
const isDropped = (entry: Json, headers: Fields): boolean => {
  const isChunked = /chunked/i.test(fieldOf(headers, "transfer-encoding") ?? "");
  if (isChunked) return memberOf(memberOf(entry, "timings"), "receive") === 0;
  return (
    Number(fieldOf(headers, "content-length") ?? 0) > 0 &&
    !withoutBody.has(Number(memberOf(memberOf(entry, "response"), "status")))
  );
};

const timeOf = (value: Json | undefined): number => {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? 0 : time;
};

import * as zlib from "node:zlib";
import { bounds } from "./bounds.ts";
import type { Fields } from "./request.ts";

/**
 * Why a body is incomplete: it is longer than `maxBody`, has too many values, is nested too deeply,
 * ended early, cannot be decoded, or is missing in a recording.
 */
export interface BodyDefect {
  readonly kind: "too large" | "too many" | "too deep" | "cut" | "coding" | "missing";
  readonly text: string;
}

/**
 * A body that can be parsed at a bounded cost: levels that are too deep are left out, and of a body
 * with too many values only the beginning is kept. If anything was left out, `defect` says what.
 */
export function readableBody(body: Uint8Array): {
  readonly body: Uint8Array;
  readonly defect?: BodyDefect;
} {
  const { levels, marks, kept } = jsonSizeOf(body);
  if (marks > bounds.marks) {
    const text = `the body has more than ${bounds.marks} values`;
    return { body: beginningOf(kept), defect: { kind: "too many", text } };
  }
  if (levels <= bounds.levels) return { body };
  const text = `the response has more than ${bounds.levels} levels of lists and objects`;
  return { body: kept, defect: { kind: "too deep", text } };
}

/** A copy of as much of a body as a report can show. */
export function beginningOf(body: Uint8Array): Uint8Array {
  return Uint8Array.from(body.subarray(0, bounds.largeBody));
}

/**
 * What it costs to parse a JSON text: how deeply it is nested, and how many commas, colons and opening
 * brackets are kept of it. `kept`: if it has more levels than `most`, the text in which every list and
 * object at that level is empty. Bytes are examined, not characters, because commas, colons and
 * brackets are ASCII, a byte each. The text need not be well-formed.
 */
export function jsonSizeOf(bytes: Uint8Array, most: number = bounds.levels) {
  const kept: Uint8Array[] = [];
  let depth = 0;
  let levels = 0;
  let marks = 0;
  /** Commas and colons in lists and objects that are empty if there are more levels. */
  let below = 0;
  let from = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) {
      at = endOfString(bytes, at);
    } else if (isOpening(byte)) {
      depth += 1;
      if (depth > levels) levels = depth;
      if (depth <= most) marks += 1;
      if (depth === most) kept.push(bytes.subarray(from, at + 1));
    } else if (isClosing(byte)) {
      if (depth === most) from = at;
      depth -= 1;
    } else if (byte === comma || byte === colon) {
      if (depth < most) marks += 1;
      else below += 1;
    }
  }
  if (levels <= most) return { levels, marks: marks + below, kept: bytes };
  // If the text ends inside a list that is too deep, there is nothing more to keep.
  if (depth < most) kept.push(bytes.subarray(from));
  return { levels, marks, kept: Buffer.concat(kept) };
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const isOpening = (byte: number | undefined): boolean => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number | undefined): boolean => byte === 0x5d || byte === 0x7d;

/**
 * The index of the quotation mark that ends the string which begins at `start`. If the string has
 * no end, an index at or after the end of the text.
 */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

/**
 * The body without its content coding (RFC 9110, 8.4). Returns a defect with it if it has several
 * codings, if its coding is unknown or broken, or if the decoded body is larger than `maxBody`
 * bytes.
 */
export function decodedBody(
  raw: Buffer,
  headers: Fields,
  maxBody: number,
): { readonly bytes: Uint8Array; readonly defect?: BodyDefect } {
  const coding = codingsIn(headers).join(", ");
  if (raw.length === 0 || coding === "") return { bytes: raw };
  const decode = decoders.get(coding);
  if (decode === undefined) {
    const text = `Content-Encoding names ${coding}, which is no content coding that was asked for`;
    return { bytes: raw, defect: { kind: "coding", text } };
  }
  try {
    // A large body is decoded into one buffer, so that it is in memory only once.
    const whole = maxBody > bounds.largeBody && { chunkSize: maxBody };
    return { bytes: decode(raw, { maxOutputLength: maxBody, ...whole }) };
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    const defect: BodyDefect = isTooLarge
      ? { kind: "too large", text: `the body is larger than ${maxBody} bytes after decoding` }
      : { kind: "coding", text: `the ${coding} coding of the body is broken` };
    return { bytes: Buffer.alloc(0), defect };
  }
}

function codingsIn(headers: Fields): readonly string[] {
  return headers
    .filter(([name]) => name.toLowerCase() === "content-encoding")
    .flatMap(([, value]) => value.split(","))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
}

type Decode = (bytes: Buffer, bound: zlib.ZlibOptions) => Buffer;

/**
 * Decodes `deflate` with or without its zlib wrapper, which some implementations leave out (RFC
 * 9110, 8.4.1.2). The wrapper begins with the number of its method: 8.
 */
const inflated: Decode = (bytes, bound) =>
  ((bytes[0] ?? 0) & 0x0f) === 8
    ? zlib.inflateSync(bytes, bound)
    : zlib.inflateRawSync(bytes, bound);

/** Node 20 cannot decode zstd: there it is a coding that the request did not accept. */
const { zstdDecompressSync } = zlib as { readonly zstdDecompressSync?: Decode };

const decoders = new Map<string, Decode>([
  ["gzip", zlib.gunzipSync],
  ["x-gzip", zlib.gunzipSync],
  ["deflate", inflated],
  ["br", zlib.brotliDecompressSync],
  ...(zstdDecompressSync === undefined ? [] : [["zstd", zstdDecompressSync] as const]),
]);

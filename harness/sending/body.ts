import * as zlib from "node:zlib";
import { bounds as most } from "../../model/bounds.ts";
import { fieldOf, type BodyDefect } from "../../model/exchange.ts";
import type { Fields } from "../../model/request.ts";
import { queued, waitFor } from "./waiting.ts";

/**
 * Lets one large body at a time be in memory. The function that it makes waits until the body may be
 * read, and resolves to the function that lets the body go.
 */
export function createLargeBodies(signal: AbortSignal): () => Promise<() => void> {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  const serve = (): void => {
    const next = isTaken ? undefined : waiting.shift();
    if (next === undefined) return;
    isTaken = true;
    next();
  };
  return async () => {
    await waitFor<void>("memory for a large response", signal, (go) => {
      const takeBack = queued(waiting, go);
      serve();
      return takeBack;
    });
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      isTaken = false;
      serve();
    };
  };
}

/**
 * Makes a function that returns the last large body in place of an equal one, because it has been
 * parsed and judged already.
 */
export function createSharing(): (body: Uint8Array) => Uint8Array {
  let last: Uint8Array = new Uint8Array();
  return (body) => {
    if (body.length < most.largeBody) return body;
    if (Buffer.compare(last, body) !== 0) last = body;
    return last;
  };
}

/** The Content-Length in the headers. Undefined if there is none, or if it is not a number. */
export function lengthIn(headers: Fields): number | undefined {
  const length = fieldOf(headers, "content-length") ?? "";
  return /^\d+$/.test(length) ? Number(length) : undefined;
}

/**
 * Collects the bytes of a body, of which at most `maxBody` are kept. A large body whose length is
 * known is in memory only once.
 */
export function collectedBody(maxBody: number) {
  let kept = Buffer.alloc(0);
  let size = 0;
  return {
    /** Adds a part, and returns the size so far. `length`: that of the whole body, if it is known. */
    add: (chunk: Buffer, length = 0): number => {
      const before = size;
      size += chunk.length;
      if (size > kept.length && before < maxBody) {
        const whole = size > most.largeBody && length <= maxBody ? length : 0;
        const larger = Buffer.allocUnsafe(Math.max(size, whole, kept.length * 2));
        kept.copy(larger, 0, 0, before);
        kept = larger;
      }
      chunk.copy(kept, before);
      return size;
    },
    bytes: (): Buffer => {
      const bytes = kept.subarray(0, Math.min(size, maxBody));
      return kept.length > bytes.length * 1.5 ? Buffer.from(bytes) : bytes;
    },
  };
}

export interface ReadBody {
  readonly bytes: Uint8Array;
  readonly defect?: BodyDefect;
}

/**
 * The body without its content coding (RFC 9110, 8.4). Returns a defect with it if it has several
 * codings, if its coding is unknown or broken, or if the decoded body is larger than `maxBody`
 * bytes.
 */
export function decodedBody(raw: Buffer, headers: Fields, maxBody: number): ReadBody {
  const coding = codingsIn(headers).join(", ");
  if (raw.length === 0 || coding === "") return { bytes: raw };
  const decode = decoders.get(coding);
  if (decode === undefined) {
    const text = `Content-Encoding names ${coding}, which is no content coding that was asked for`;
    return { bytes: raw, defect: { kind: "coding", text } };
  }
  try {
    return { bytes: decodedBytes(decode, raw, maxBody) };
  } catch (error) {
    const defect: BodyDefect = isTooLarge(error)
      ? { kind: "too large", text: `the body is larger than ${maxBody} bytes after decoding` }
      : { kind: "coding", text: `the ${coding} coding of the body is broken` };
    return { bytes: Buffer.alloc(0), defect };
  }
}

/** Decodes a body. A large one is decoded into one buffer, so that it is in memory only once. */
function decodedBytes(decode: Decode, raw: Buffer, maxBody: number): Buffer {
  try {
    return decode(raw, { maxOutputLength: Math.min(maxBody, most.largeBody) });
  } catch (error) {
    if (!isTooLarge(error) || maxBody <= most.largeBody) throw error;
    return decode(raw, { maxOutputLength: maxBody, chunkSize: maxBody });
  }
}

const isTooLarge = (error: unknown): boolean =>
  (error as { readonly code?: string }).code === "ERR_BUFFER_TOO_LARGE";

function codingsIn(headers: Fields): readonly string[] {
  return headers
    .filter(([name]) => name.toLowerCase() === "content-encoding")
    .flatMap(([, value]) => value.split(","))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
}

type Decode = (
  bytes: Buffer,
  bound: { readonly maxOutputLength: number; readonly chunkSize?: number },
) => Buffer;

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

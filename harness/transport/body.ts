import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import type { BodyDefect, Fields } from "../../model/exchange.ts";

/** A body as it was read, and why it is not whole. */
export interface ReadBody {
  readonly bytes: Uint8Array;
  readonly defect?: BodyDefect;
}

/** Reads at most `maxBody` bytes, before and after content decoding. */
export const bodyOf = async (
  stream: AsyncIterable<Uint8Array> & {
    destroy: (error?: Error) => unknown;
    on: (event: "error", f: () => void) => unknown;
  },
  headers: Fields,
  maxBody: number,
): Promise<ReadBody> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let defect: BodyDefect | undefined;
  try {
    for await (const chunk of stream) {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBody) {
        defect = { kind: "too large", text: `the body is larger than ${maxBody} bytes` };
        break;
      }
    }
  } catch (error) {
    defect = { kind: "cut", text: `the body ended early: ${(error as Error).message}` };
  }
  if (defect !== undefined) {
    stream.on("error", () => undefined);
    stream.destroy();
  }
  const raw = Buffer.concat(chunks).subarray(0, maxBody);
  return defect === undefined ? decodedBody(raw, headers, maxBody) : { bytes: raw, defect };
};

/** A body without its content codings (RFC 9110, 8.4). */
export const decodedBody = (raw: Buffer, headers: Fields, maxBody: number): ReadBody => {
  const codings = headers
    .filter(([name]) => name.toLowerCase() === "content-encoding")
    .flatMap(([, value]) => value.split(","))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (raw.length === 0) return { bytes: raw };
  let bytes: Buffer = raw;
  for (const coding of codings.reverse()) {
    const decode = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
    if (decode === undefined)
      return {
        bytes,
        defect: { kind: "coding", text: `the content coding ${coding} was not accepted in the request` },
      };
    try {
      bytes = decode(bytes, maxBody);
    } catch (error) {
      const tooLarge = (error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE";
      return {
        bytes: Buffer.alloc(0),
        defect: tooLarge
          ? { kind: "too large", text: `the body is larger than ${maxBody} bytes after decoding` }
          : { kind: "coding", text: `the ${coding} coding of the body is broken` },
      };
    }
  }
  return { bytes };
};

type Decoder = (bytes: Buffer, maxOutputLength: number) => Buffer;

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength }),
  "x-gzip": (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength }),
  deflate: (bytes, maxOutputLength) => {
    // RFC 9110, 8.4.1.2: some senders leave the zlib wrapper out.
    try {
      return inflateSync(bytes, { maxOutputLength });
    } catch (error) {
      if ((error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE") throw error;
      return inflateRawSync(bytes, { maxOutputLength });
    }
  },
  br: (bytes, maxOutputLength) =>
    brotliDecompressSync(bytes, { maxOutputLength, params: { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 0 } }),
};

import { memberOf, type Json } from "../../model/exchange.ts";

/** A body as a recording holds it. */
export interface RecordedBody {
  readonly bytes: Buffer;
  /** Whether these are the bytes that were sent, and not those of a text that a tool decoded them to. */
  readonly isExact: boolean;
}

/** The content of a file beside the recording; undefined if there is no such file. */
export type Attached = (name: string) => Buffer | undefined;

/**
 * The body in `postData` or `content`, or in a file beside the recording that they name; undefined if there is none.
 * `length` is the Content-Length of the message, if its body was not compressed.
 */
export const recordedBody = (
  holder: Json | undefined,
  attached: Attached,
  length?: string,
): RecordedBody | undefined => {
  const [text, file] = [memberOf(holder, "text"), memberOf(holder, "_file")];
  // Playwright has bodies in files of their own where content is "attach", and an empty text besides.
  if (typeof file === "string") {
    const bytes = attached(file);
    return bytes === undefined ? undefined : { bytes, isExact: true };
  }
  if (typeof text !== "string") return undefined;
  const encoding = memberOf(holder, "encoding") ?? memberOf(holder, "_encoding");
  if (encoding === "base64") return { bytes: Buffer.from(text, "base64"), isExact: true };
  if (strayByte.test(text)) return { bytes: bytesWithStray(text), isExact: true };
  // k6 Studio writes a character for each byte: Content-Length shows whether it did.
  const isByteString = Number(length) === text.length && /[\u0080-\u00ff]/.test(text) && !/[^\0-\u00ff]/.test(text);
  return { bytes: Buffer.from(text, isByteString ? "latin1" : "utf8"), isExact: false };
};

/** mitmproxy has half of a surrogate pair in the place of each byte that is not UTF-8: \udc80 for 80, and so on. */
const strayByte = /[\udc80-\udcff]/u;

const bytesWithStray = (text: string): Buffer =>
  Buffer.concat(
    // A half keeps its last eight bits in latin1.
    text.split(/([\udc80-\udcff]+)/u).map((part, index) => Buffer.from(part, index % 2 === 0 ? "utf8" : "latin1")),
  );

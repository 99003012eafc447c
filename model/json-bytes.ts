import { bounds } from "./bounds.ts";

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

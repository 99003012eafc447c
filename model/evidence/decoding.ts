import {
  append,
  isSeen,
  separator,
  small,
  type Characters,
  type WritableCharacters,
} from "./characters.ts";

/** The shortest parts of a text that are decoded: what eight bytes need. */
const shortestHex = 16;
const shortestBase64 = 11;

/** The parts of a text that can be decoded: where each begins and ends, in turn. */
export function hexParts({ codes, length }: Characters): readonly number[] {
  return partsOf(codes, length, hexValues, shortestHex);
}
export function base64Parts(exact: Uint16Array, length: number): readonly number[] {
  return partsOf(exact, length, base64Values, shortestBase64);
}

/**
 * Writes into `decoded` the bytes for which the hexadecimal digits in parts of a text stand, as
 * characters. `shift`: how many digits of each part stand before the first byte.
 */
export function decodeHex(
  decoded: WritableCharacters,
  { codes }: Characters,
  parts: readonly number[],
  shift: number,
): void {
  decoded.length = 0;
  for (let part = 0; part < parts.length; part += 2) {
    const to = parts[part + 1] ?? 0;
    for (let at = (parts[part] ?? 0) + shift; at + 1 < to; at += 2) {
      const high = hexValues[codes[at] ?? 0] ?? 0;
      const code = small[high * 16 + (hexValues[codes[at + 1] ?? 0] ?? 0)] ?? 0;
      if (code !== 0) append(decoded, code, at);
    }
    append(decoded, separator, 0);
  }
}

/** The first and the last of the digits for the bytes from `first` to `last`. */
export function placeInHex(
  { origins }: Characters,
  first: number,
  last: number,
): readonly [number, number] {
  return [origins[first] ?? 0, (origins[last] ?? 0) + 1];
}

/**
 * Writes into `decoded` the bytes for which the base64 in parts of a text stands, as characters.
 * `shift`: how many characters of each part stand before the first group of four. `exact`: the
 * characters of the text, with capitals.
 */
export function decodeBase64(
  decoded: WritableCharacters,
  exact: Uint16Array,
  parts: readonly number[],
  shift: number,
): void {
  const { codes, origins } = decoded;
  let length = 0;
  for (let part = 0; part < parts.length; part += 2) {
    const to = parts[part + 1] ?? 0;
    for (let at = (parts[part] ?? 0) + shift; at + 1 < to; at += 4) {
      // What stands after the part has no value that counts: its bytes are cut off below.
      const bits =
        (sixBits(exact[at]) << 18) |
        (sixBits(exact[at + 1]) << 12) |
        (sixBits(exact[at + 2]) << 6) |
        sixBits(exact[at + 3]);
      const count = Math.min(3, to - at - 1);
      for (let byte = 0; byte < count; byte++) {
        const code = small[(bits >>> (16 - 8 * byte)) & 0xff] ?? 0;
        codes[length] = code;
        origins[length] = at * 4 + byte;
        length += isSeen[code] ?? 0;
      }
    }
    codes[length] = separator;
    length += 1;
  }
  decoded.length = length;
}

/**
 * The first and the last of the characters that the bytes from `first` to `last` alone decide. A
 * character at either end of them may hold bits of other bytes too.
 */
export function placeInBase64(
  { origins }: Characters,
  first: number,
  last: number,
): readonly [number, number] {
  const from = origins[first] ?? 0;
  const to = origins[last] ?? 0;
  return [
    (from >>> 2) + Math.ceil(((from & 3) * 8) / 6),
    (to >>> 2) + Math.floor((((to & 3) + 1) * 8) / 6) - 1,
  ];
}

/** The longest parts, of at least `shortest` characters, that have only digits. */
function partsOf(
  codes: Uint16Array,
  length: number,
  values: Int8Array,
  shortest: number,
): readonly number[] {
  const parts: number[] = [];
  let from = 0;
  for (let at = 0; at <= length; at++) {
    if (at < length && (values[codes[at] ?? 0] ?? -1) >= 0) continue;
    if (at - from >= shortest) parts.push(from, at);
    from = at + 1;
  }
  return parts;
}

const hexValues = valuesOf("0123456789abcdef");
const base64Values = valuesOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
base64Values[0x2d] = 62;
base64Values[0x5f] = 63;

const sixBits = (code = 0): number => (base64Values[code] ?? 0) & 63;

/** For each character, its value as a digit; -1 if it is none. */
function valuesOf(digits: string): Int8Array {
  const values = new Int8Array(65_536).fill(-1);
  for (let value = 0; value < digits.length; value++) values[digits.charCodeAt(value)] = value;
  return values;
}

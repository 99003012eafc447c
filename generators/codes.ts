import * as fc from "fast-check";

export const digits = "0123456789";
export const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/**
 * Draws texts of `minLength` to `maxLength` characters of an alphabet, which has at most 36. A text
 * is drawn as one number, because to draw each of its characters takes many times as long. All
 * texts of a length are equally likely. Shrinks to the first character of the alphabet.
 */
export function codeArbitrary(
  alphabet: string,
  minLength: number,
  maxLength = minLength,
): fc.Arbitrary<string> {
  const number = fc.noBias(fc.bigInt({ min: 0n, max: possibleCodes(alphabet, maxLength) - 1n }));
  if (minLength === maxLength) return number.map((one) => codeOf(one, alphabet, maxLength));
  return fc
    .tuple(fc.integer({ min: minLength, max: maxLength }), number)
    .map(([length, one]) => codeOf(one, alphabet, length));
}

/** The text of this length whose characters, read as digits, are the last digits of the number. */
export function codeOf(number: bigint, alphabet: string, length: number): string {
  const numeral = (number % possibleCodes(alphabet, length))
    .toString(alphabet.length)
    .padStart(length, "0");
  if (alphabet === digits) return numeral;
  if (alphabet === digits + letters) return numeral.toUpperCase();
  let code = "";
  for (const digit of numeral) code += alphabet.charAt(Number.parseInt(digit, 36));
  return code;
}

/**
 * The digits with a zero as the first one, or with another first digit: programs that read a number
 * lose a zero there.
 */
export function beginning(text: string, withZero: boolean): string {
  if (withZero) return `0${text.slice(1)}`;
  return text.startsWith("0") ? `1${text.slice(1)}` : text;
}

/** The numbers of possible codes so far, as a run asks for few of them again and again. */
const possible = new Map<string, bigint>();

function possibleCodes({ length: characters }: string, length: number): bigint {
  const key = `${characters} ${length}`;
  const known = possible.get(key) ?? BigInt(characters) ** BigInt(length);
  possible.set(key, known);
  return known;
}

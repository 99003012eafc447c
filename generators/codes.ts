import * as fc from "fast-check";

export const digits = "0123456789";
export const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Draws texts of `minLength` to `maxLength` characters of an alphabet. Shrinks to its first one. */
export function codeArbitrary(
  alphabet: string,
  minLength: number,
  maxLength = minLength,
): fc.Arbitrary<string> {
  return fc.noBias(fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength }));
}

/** The text of this length whose characters, read as digits, are the last digits of the number. */
export function codeOf(number: bigint, alphabet: string, length: number): string {
  const base = BigInt(alphabet.length);
  let code = "";
  for (let rest = number; code.length < length; rest /= base)
    code = alphabet.charAt(Number(rest % base)) + code;
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

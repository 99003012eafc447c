import * as fc from "fast-check";
import type { AmountRange } from "../spec/amount-range.ts";
import { codeArbitrary, digits } from "./codes.ts";

const syllables = [..."bdfgklmnprstvz"].flatMap((consonant) =>
  [..."aeiou"].map((vowel) => consonant + vowel),
);

/** Two to four syllables, with a capital. */
const word = fc
  .noBias(fc.array(fc.constantFrom(...syllables), { minLength: 2, maxLength: 4 }))
  .map((parts) => parts.join("").replace(/^./, (first) => first.toUpperCase()));

/**
 * Two or three made-up words of ASCII letters, with 9 to 26 characters in all, so that no real name
 * is sent.
 */
export const words: fc.Arbitrary<string> = fc
  .array(word, { minLength: 2, maxLength: 3 })
  .map((parts) => parts.join(" "));

/** A house number and the name of a street. */
export const street = fc
  .tuple(fc.integer({ min: 1, max: 400 }), words)
  .map((parts) => parts.join(" "));

/** An identifier of a client: 8 to 16 small letters and digits. */
export const identifier = codeArbitrary("abcdefghjkmnpqrstuvwxyz0123456789", 8, 16);

/** The tax ids of people and of companies. */
export const taxIdsOf = { CPF: taxId(9), CNPJ: taxId(8, "0001") } as const;

/** A tax id: `length` random digits, the number of the branch if there is one, and check digits. */
function taxId(length: number, branch = ""): fc.Arbitrary<string> {
  return codeArbitrary(digits, length)
    .filter((free) => new Set(free).size > 1)
    .map((free) => withCheckDigit(withCheckDigit(free + branch)));
}

/**
 * The digits, followed by their check digit. Weights start with 2 at the right end and rise; in a
 * CNPJ, they start again after 9.
 */
function withCheckDigit(digits: string): string {
  const period = digits.length < 12 ? digits.length : 8;
  const sum = [...digits]
    .toReversed()
    .reduce((total, digit, place) => total + Number(digit) * (2 + (place % period)), 0);
  return digits + String(sum % 11 < 2 ? 0 : 11 - (sum % 11));
}

/** The values that are valid on the target, as the configuration of the run sets them. */
export interface Domain {
  readonly currencyPairs: readonly string[];
  readonly otherPurposes: readonly string[];
  readonly amount: AmountRange;
}

/** The purpose that every server accepts (specification, Operation). */
export const efx = "EFX";

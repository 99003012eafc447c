import * as fc from "fast-check";
import type { Json } from "../spec/json.ts";
import type { Schema } from "../spec/contract.ts";
import { codeArbitrary, digits } from "./codes.ts";
import type { Account, Country } from "./places.ts";
import { amountArbitrary, smallestAmount, type AmountBounds } from "./amounts.ts";

export interface ValueCircumstances {
  readonly domain: Domain;
  /** Whether all optional members that fit the others are present. */
  readonly complete: boolean;
  /**
   * The largest amount of an ACAM item. @defaultValue the smallest valid amount, as no operation
   * has less
   */
  readonly amountAtMost?: number;
}

/** Values that come from a place, so that they fit the other values of an object. */
export type PlaceSource =
  | { readonly inCountry: (country: Country) => string }
  | {
      /** Undefined if an account has no such value, as accounts in the United States have no IBAN. */
      readonly ofAccount: (account: Account) => string | undefined;
      /** The countries whose accounts have a value. @defaultValue all */
      readonly where?: (country: Country) => boolean;
    };

export type ValueSource =
  PlaceSource | { readonly arbitrary: (circumstances: ValueCircumstances) => fc.Arbitrary<Json> };

/** The source of values for each meaning: the word in `x-fxconform-domain`. */
const meanings: Readonly<Record<string, ValueSource>> = {
  name: { arbitrary: () => words },
  street: { arbitrary: () => street },
  city: { inCountry: (country) => country.city },
  state: { inCountry: (country) => country.state },
  "zip-code": { inCountry: (country) => country.zipCode },
  identifier: { arbitrary: () => identifier },
  purpose: { arbitrary: ({ domain }) => fc.constantFrom(efx, ...domain.otherPurposes) },
  amount: { arbitrary: ({ domain }) => amountArbitrary(domain.amount) },
  "part-amount": {
    arbitrary: ({ domain: { amount }, amountAtMost = amount.min }) =>
      amountArbitrary({
        ...amount,
        max: Math.min(amount.max, Math.max(smallestAmount(amount), amountAtMost)),
      }),
  },
};

/** The source of values for each string format: the name in `format`. */
export const formats: Readonly<Record<string, ValueSource>> = {
  /** Nine digits: the first two are a Federal Reserve district, the last one is a check digit. */
  "aba-routing-number": {
    ofAccount: (account) => account.abaRoutingNumber,
    where: ({ aba }) => aba === true,
  },
  /** 1 to 34 letters and digits: ISO 13616 and payment messages allow no more than 34. */
  "account-number": { ofAccount: (account) => account.accountNumber },
  /** ISO 9362: four letters, the country, two characters, and optionally three for the branch. */
  bic: { ofAccount: (account) => account.bic },
  /** ISO 3166-1 alpha-2: two letters. */
  country: { inCountry: (country) => country.code },
  /**
   * A Brazilian tax id of digits alone: the CPF of a person (11 digits) or the CNPJ of a company
   * (14). The last two are check digits.
   */
  "cpf-cnpj": { arbitrary: () => taxIds },
  /**
   * Two currency codes (ISO 4217) in a row, such as `USDBRL`. The configuration lists the pairs
   * that are sent.
   */
  "currency-pair": { arbitrary: ({ domain }) => fc.constantFrom(...domain.currencyPairs) },
  /** ISO 13616, with check digits, and with the length and characters of its country. */
  iban: { ofAccount: (account) => account.iban, where: ({ bban }) => bban !== undefined },
};

/**
 * The source of the values of a schema, by its meaning or else by its format. Undefined if neither
 * is known.
 */
export function sourceOf(schema: Schema): ValueSource | undefined {
  const { "x-fxconform-domain": meaning, format } = schema;
  const [table, word] = meaning === undefined ? [formats, format] : [meanings, meaning];
  return typeof word === "string" && Object.hasOwn(table, word) ? table[word] : undefined;
}

const syllables = [..."bdfgklmnprstvz"].flatMap((consonant) =>
  [..."aeiou"].map((vowel) => consonant + vowel),
);

/** Four syllables as one number, of which a word takes as many as it needs. */
const fourSyllables = fc.noBias(fc.integer({ min: 0, max: syllables.length ** 4 - 1 }));

const word = fc.tuple(fc.integer({ min: 2, max: 4 }), fourSyllables).map(wordOf);

/**
 * Two or three made-up words of ASCII letters, with 9 to 26 characters in all, so that no real name
 * is sent.
 */
export const words: fc.Arbitrary<string> = fc
  .array(word, { minLength: 2, maxLength: 3 })
  .map((parts) => parts.join(" "));

/** A house number and the name of a street. */
const street = fc.tuple(fc.integer({ min: 1, max: 400 }), words).map((parts) => parts.join(" "));

const identifier = codeArbitrary("abcdefghjkmnpqrstuvwxyz0123456789", 8, 16);

const taxIds = fc.oneof(taxId(9), taxId(8, "0001"));

/** The word of this many syllables, with a capital, that a number stands for. */
function wordOf([length, number]: readonly [length: number, number: number]): string {
  let word = "";
  let rest = number;
  for (let at = 0; at < length; at++) {
    word += syllables[rest % syllables.length] ?? "";
    rest = Math.floor(rest / syllables.length);
  }
  return word.charAt(0).toUpperCase() + word.slice(1);
}

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
  readonly amount: AmountBounds;
}

/** The purpose that every server accepts (specification, Operation). */
export const efx = "EFX";

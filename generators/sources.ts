import * as fc from "fast-check";
import type { Json } from "../spec/json.ts";
import type { Schema } from "../spec/contract.ts";
import type { Country, Locality } from "./places.ts";
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

/** Values that come from a place. */
export interface PlaceSource {
  /**
   * The value that a place has. Undefined if it has none, as places in the United States have no
   * IBAN.
   */
  readonly inPlace: (place: Locality) => string | undefined;
  /** The countries whose places have a value. @defaultValue all */
  readonly where?: (country: Country) => boolean;
}

export type ValueSource =
  PlaceSource | { readonly arbitrary: (circumstances: ValueCircumstances) => fc.Arbitrary<Json> };

/** The source of values for each meaning: the word in `x-fxconform-domain`. */
const meanings: Readonly<Record<string, ValueSource>> = {
  name: { arbitrary: () => words },
  street: { arbitrary: () => street },
  city: { inPlace: (place) => place.city },
  state: { inPlace: (place) => place.state },
  "zip-code": { inPlace: (place) => place.zipCode },
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
    inPlace: (place) => place.abaRoutingNumber,
    where: ({ aba }) => aba === true,
  },
  /** 1 to 34 letters and digits: ISO 13616 and payment messages allow no more than 34. */
  "account-number": { inPlace: (place) => place.accountNumber },
  /** ISO 9362: four letters, the country, two characters, and optionally three for the branch. */
  bic: { inPlace: (place) => place.bic },
  /** ISO 3166-1 alpha-2: two letters. */
  country: { inPlace: (place) => place.country },
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
  iban: { inPlace: (place) => place.iban, where: ({ bban }) => bban !== undefined },
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

/**
 * Two or three made-up words of ASCII letters, with 9 to 26 characters in all, so that no real name
 * is sent.
 */
export const words: fc.Arbitrary<string> = fc
  .array(fc.array(syllable(), { minLength: 2, maxLength: 4 }), { minLength: 2, maxLength: 3 })
  .map((parts) => parts.map((syllables) => capitalised(syllables.join(""))).join(" "));

/** A house number and the name of a street. */
const street = fc.tuple(fc.integer({ min: 1, max: 400 }), words).map((parts) => parts.join(" "));

// To make an arbitrary of texts takes much longer than to draw a text. So these are made once.
const identifier = fc.string({
  unit: fc.constantFrom(..."abcdefghjkmnpqrstuvwxyz0123456789"),
  minLength: 8,
  maxLength: 16,
});

const taxIds = fc.oneof(taxId(9), taxId(8, "0001"));

function syllable(): fc.Arbitrary<string> {
  const pair = fc.tuple(fc.constantFrom(..."bdfgklmnprstvz"), fc.constantFrom(..."aeiou"));
  return pair.map((letters) => letters.join(""));
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** A tax id: `length` random digits, the number of the branch if there is one, and check digits. */
function taxId(length: number, branch = ""): fc.Arbitrary<string> {
  return fc
    .string({ unit: fc.constantFrom(..."0123456789"), minLength: length, maxLength: length })
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

import * as fc from "fast-check";
import { abaWithChecksum } from "../formats/check-digits.ts";
import { ibanOf } from "../formats/check-digits.ts";
import { countries, pieces, type Country } from "./countries.ts";

/**
 * A bank account and a town in one country. One place is drawn for each object of a body, so that the codes in the
 * object agree.
 */
export interface Place {
  readonly country: string;
  readonly city: string;
  readonly state: string;
  readonly zipCode: string;
  readonly bic: string;
  readonly accountNumber: string;
  /** Present if the country has IBANs. It ends with the account number. */
  readonly iban?: string;
  /** Present in the United States. */
  readonly abaRoutingNumber?: string;
}

/** Places in the given countries. The kind (ABA, IBAN or neither) is drawn first, by weight, then the country. */
export function placeArbitrary(among: readonly Country[] = countries): fc.Arbitrary<Place> {
  const kinds = [
    { weight: 2, among: among.filter((country) => country.aba) },
    { weight: 5, among: among.filter((country) => country.bban) },
    { weight: 1, among: among.filter((country) => !country.aba && !country.bban) },
  ];
  const choices = kinds
    .filter((kind) => kind.among.length > 0)
    .map((kind) => ({ weight: kind.weight, arbitrary: fc.constantFrom(...kind.among).chain(placeIn) }));
  return fc.oneof(...choices);
}

/** The arbitrary of places in a country. It is made once for each country. */
export const placeIn = (country: Country): fc.Arbitrary<Place> => {
  const place = places.get(country) ?? newPlaceIn(country);
  places.set(country, place);
  return place;
};

const places = new Map<Country, fc.Arbitrary<Place>>();

const newPlaceIn = (country: Country): fc.Arbitrary<Place> =>
  fc
    .record({
      bankLetters: text(letters, 4),
      location: text(letters, 2),
      branch: fc.option(text(letters.replace("X", ""), 3), { nil: "" }),
      routing: fc.tuple(fc.constantFrom(...routingPrefixes), text(digits, 6)),
      bank: fc.string({ unit: fc.constantFrom(...digits), minLength: 8, maxLength: 8 }),
      account: country.bban ? filled(country.bban.account) : text(digits, 8, 12),
    })
    .map(({ bankLetters, location, branch, routing, bank, account }) => ({
      country: country.code,
      city: country.city,
      state: country.state,
      zipCode: country.zipCode,
      bic: bankLetters + country.code + location + branch,
      accountNumber: account,
      ...(country.bban ? { iban: ibanOf(country.code, bankCode(country.bban.bank, bankLetters, bank) + account) } : {}),
      ...(country.aba ? { abaRoutingNumber: abaWithChecksum(routing.join("")) } : {}),
    }));

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const digits = "0123456789";

/** The first two digits of routing numbers: Federal Reserve districts, 01–12 for banks and 21–32 for thrifts. */
const routingPrefixes = [1, 21].flatMap((from) =>
  Array.from({ length: 12 }, (_, district) => String(from + district).padStart(2, "0")),
);

const text = (alphabet: string, minLength: number, maxLength = minLength): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength });

const filled = (pattern: string): fc.Arbitrary<string> =>
  fc
    .tuple(...pieces(pattern).map(({ kind, length }) => text(kind === "n" ? digits : digits + letters, length)))
    .map((parts) => parts.join(""));

/** The bank part of a BBAN: letters of the BIC for `B` in the pattern, else digits. */
function bankCode(pattern: string, bankLetters: string, bankDigits: string): string {
  return pieces(pattern)
    .map(({ kind, length }) => (kind === "B" ? bankLetters : bankDigits).slice(0, length))
    .join("");
}

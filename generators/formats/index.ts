import * as fc from "fast-check";
import type { Format } from "../source.ts";
import { hasAbaChecksum } from "./check-digits.ts";
import { country, isCountry } from "./country.ts";
import { cpfCnpj } from "./cpf-cnpj.ts";
import { dateTime } from "./date-time.ts";
import { iban } from "./iban.ts";

/** ABA routing number: nine digits. The first two are a Federal Reserve district, the last is a check digit. */
const abaRoutingNumber: Format = {
  name: "aba-routing-number",
  isValid: (text) => /^(0[1-9]|1[0-2]|2[1-9]|3[0-2])\d{7}$/.test(text) && hasAbaChecksum(text),
  source: { inPlace: (place) => place.abaRoutingNumber },
};

/** Account number: 1 to 34 letters and digits (the maximum of ISO 13616 and of payment messages). */
const accountNumber: Format = {
  name: "account-number",
  isValid: (text) => /^[A-Za-z0-9]{1,34}$/.test(text),
  source: { inPlace: (place) => place.accountNumber },
};

/** SWIFT code (ISO 9362): four letters, the country, two characters, and optionally three for the branch. */
const bic: Format = {
  name: "bic",
  isValid: (text) => /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(text) && isCountry(text.slice(4, 6)),
  source: { inPlace: (place) => place.bic },
};

/** Two currency codes (ISO 4217) in a row, such as `USDBRL`. The configuration lists the pairs to send. */
const currencyPair: Format = {
  name: "currency-pair",
  isValid: (text) => /^[A-Z]{6}$/.test(text),
  source: { arbitrary: ({ domain }) => fc.constantFrom(...domain.currencyPairs) },
};

/** The string formats that a schema may name. */
export const formats: readonly Format[] = [
  abaRoutingNumber,
  accountNumber,
  bic,
  country,
  cpfCnpj,
  currencyPair,
  dateTime,
  iban,
];

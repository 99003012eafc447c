import * as fc from "fast-check";
import type { Format } from "../source.ts";

/** Two currency codes (ISO 4217) in a row. The configuration lists the pairs to send. */
export const currencyPair: Format = {
  name: "currency-pair",
  isValid: (text) => /^[A-Z]{6}$/.test(text),
  source: { arbitrary: ({ domain }) => fc.constantFrom(...domain.currencyPairs) },
};

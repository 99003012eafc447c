import type { Format } from "../source.ts";
import { isCountry } from "./country.ts";

/** SWIFT code (ISO 9362): four letters, the country, two characters, and perhaps three for the branch. */
export const bic: Format = {
  name: "bic",
  isValid: (text) => /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(text) && isCountry(text.slice(4, 6)),
  source: { inPlace: (place) => place.bic },
};

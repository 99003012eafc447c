import type { Format } from "../source.ts";

/** Account number: letters and digits, at most 34 (the bound of ISO 13616 and of payment messages). */
export const accountNumber: Format = {
  name: "account-number",
  isValid: (text) => /^[A-Za-z0-9]{1,34}$/.test(text),
  source: { inPlace: (place) => place.accountNumber },
};

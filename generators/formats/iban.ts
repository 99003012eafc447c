import { bbanOf, pieces } from "../places/countries.ts";
import type { Format } from "../source.ts";
import { hasIbanChecksum } from "./check-digits.ts";

/** IBAN (ISO 13616) of a country of `countries`, with the length and characters of that country and check digits. */
export const iban: Format = {
  name: "iban",
  isValid: isIban,
  source: { inPlace: (place) => place.iban },
};

/** Whether the text is an IBAN of a country of `countries`. */
export function isIban(text: string): boolean {
  const bban = bbanOf(text.slice(0, 2));
  if (!bban) return false;
  const pattern = `${bban.bank} ${bban.account}`;
  const shape = pieces(pattern).map(({ kind, length }) => `${classes[kind] ?? ""}{${length}}`);
  return new RegExp(`^[A-Z]{2}[0-9]{2}${shape.join("")}$`).test(text) && hasIbanChecksum(text);
}

const classes: Readonly<Record<string, string>> = { n: "[0-9]", c: "[A-Z0-9]", B: "[A-Z]" };

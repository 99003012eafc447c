import type { Format } from "../source.ts";
import { hasAbaChecksum } from "./check-digits.ts";

/** ABA routing number: nine digits that begin with a Federal Reserve district, the last one being the checksum. */
export const abaRoutingNumber: Format = {
  name: "aba-routing-number",
  isValid: (text) => /^(0[1-9]|1[0-2]|2[1-9]|3[0-2])\d{7}$/.test(text) && hasAbaChecksum(text),
  source: { inPlace: (place) => place.abaRoutingNumber },
};

import { randomBytes } from "node:crypto";

/** Eight letters and digits that tell one run from another, in our User-Agent and in what is stamped. */
export const newRunId = (): string =>
  [...randomBytes(8)].map((byte) => "abcdefghijklmnopqrstuvwxyz234567".charAt(byte % 32)).join("");

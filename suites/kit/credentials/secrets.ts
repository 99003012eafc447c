import type { Table } from "../tables.ts";

const letters = "abcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";

/** A tail long enough that a decoder which ignores stray characters sees other bytes too. */
const tail = "Zq7Wm2Kx9T";

/** The secret with one letter or digit near `where` replaced, so that all bits of a base64 character count. */
export const withOneCharacterReplaced = (secret: string, where = 0.5): string => {
  const start = Math.floor(secret.length * where);
  const order = Array.from(
    { length: secret.length * 2 },
    (_, step) => start + (step % 2 === 0 ? step / 2 : -(step + 1) / 2),
  );
  const isPlain = (at: number): boolean => /[A-Za-z0-9]/.test(secret.charAt(at));
  const inside = (at: number): boolean => [at - 1, at, at + 1, at + 2, at + 3].every(isPlain);
  const at = order.find(inside) ?? order.find(isPlain) ?? start;
  return secret.slice(0, at) + otherThan(secret.charAt(at)) + secret.slice(at + 1);
};

/** The secret with its first or its last character replaced by one of another kind, which differs in every coding. */
export const withEndReplaced = (secret: string, end: "first" | "last"): string => {
  const at = end === "first" ? 0 : secret.length - 1;
  const character = secret.charAt(at);
  const instead = /[a-z]/.test(character) ? "Q" : "g";
  const other = /[A-Z]/.test(character) ? "7" : instead;
  return secret.slice(0, at) + other + secret.slice(at + 1);
};

export const withTail = (secret: string): string => secret + tail;

/** About two thirds of the secret; empty for a secret of one character. */
export const truncated = (secret: string): string => secret.slice(0, Math.floor((secret.length * 2) / 3));

/** The secret in the other letter case; the secret itself if it has no letters. */
export const inOtherCase = (secret: string): string =>
  secret.replaceAll(/[A-Za-z]/g, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()));

/** A text of the same length and punctuation in which every letter and digit is another. */
export const ofTheSameShape = (secret: string): string => secret.replaceAll(/[A-Za-z0-9]/g, otherThan);

const otherThan = (character: string): string => {
  const alphabet = /[0-9]/.test(character) ? digits : letters;
  const at = alphabet.indexOf(character.toLowerCase());
  const other = alphabet.charAt((at + 7) % alphabet.length);
  return /[A-Z]/.test(character) ? other.toUpperCase() : other;
};

/** A key or token that was never issued, and that careless code accepts or crashes on. */
export interface OddSecret {
  readonly id: string;
  readonly text: string;
}

/** A JSON Web Token that names no algorithm. */
export const unsigned: OddSecret = {
  id: "three parts without a signature",
  text: "eyJhbGciOiJub25lIn0.eyJzdWIiOiJmeGNvbmZvcm0ifQ.",
};

const oddTexts: readonly OddSecret[] = [
  { id: "a quote as in SQL", text: "x'OR'1'='1" },
  { id: "characters beyond ASCII", text: "k\u00e9y-fxconform" },
  { id: "7000 characters", text: "fxconform".repeat(778).slice(0, 7000) },
  { id: "a regular expression", text: ".*" },
  { id: "a wildcard of SQL", text: "%" },
  { id: "an operator of a query", text: '{"$ne":null}' },
  { id: "a wildcard of a shell", text: "*" },
  { id: "an escaped zero byte", text: "%00" },
  { id: "a placeholder", text: "%s%n{0}" },
  { id: "the word undefined", text: "undefined" },
  { id: "the word true", text: "true" },
  { id: "a zero", text: "0" },
  { id: "a path", text: "../../etc/passwd" },
  { id: "two of them with a comma", text: "fxconform, fxconform" },
  { id: "double quotes", text: '"fxconform"' },
  { id: "two dots in a row", text: ".." },
];

/** HTTP servers refuse some of them by themselves, in whatever form: only a crash or a success is judged (INT-38). */
export function oddSecrets(of: "API keys" | "tokens"): Table<OddSecret> {
  const likeliestFirst = of === "tokens" ? [unsigned, ...oddTexts] : oddTexts;
  return { name: `odd ${of}`, always: likeliestFirst.slice(0, 4), sometimes: likeliestFirst.slice(4) };
}

const hexOf = (text: string): string => Buffer.from(text).toString("hex");
const codesOf = (text: string, codeOf: (code: number) => string): string =>
  text.replaceAll(/./gs, (one) => codeOf(one.charCodeAt(0)));

/** Ways to write a secret that stays whole. */
export const coders: Readonly<Record<string, (text: string) => string>> = {
  nothing: (text) => text,
  "percent signs": (text) => encodeURIComponent(text.toWellFormed()),
  "percent everywhere": (text) => hexOf(text).replaceAll(/../g, "%$&"),
  "a form": (text) => new URLSearchParams({ k: text }).toString().slice(2),
  JSON: (text) => JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"),
  "JSON in numbers": (text) => codesOf(text, (code) => `\\u${code.toString(16).padStart(4, "0")}`),
  "entities by name": (text) =>
    text.replaceAll("&", "&amp;").replaceAll("/", "&sol;").replaceAll("=", "&equals;"),
  "entities in decimal": (text) => codesOf(text, (code) => `&#${code};`),
  "entities in hexadecimal": (text) => codesOf(text, (code) => `&#x${code.toString(16)};`),
  base64: (text) => Buffer.from(text).toString("base64"),
  base64url: (text) => Buffer.from(text).toString("base64url"),
  "base64 after a user": (text) => Buffer.from(`me:${text}`).toString("base64"),
  hex: hexOf,
  "hex in capitals": (text) => hexOf(text).toUpperCase(),
};

/**
 * Secrets and spellings with fewer characters than this are not searched for, because ordinary text
 * contains them by chance.
 */
const shortestSecret = 8;

/** A secret in each coding that leaves at least `shortestSecret` characters. */
export function spellingsOf(secret: string): readonly string[] {
  const coded = Object.values(coders).map((code) => code(secret));
  return [...new Set(coded)].filter(({ length }) => length >= shortestSecret);
}

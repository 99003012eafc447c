/**
 * Ways in which a server can return a secret cut or changed. SECURITY.md refers to their numbers.
 * The redaction finds all of them.
 */
export const foundWays: Readonly<Record<string, (secret: string) => string>> = {
  "1 the beginning": (secret) => secret.slice(0, 12),
  "2 the end": (secret) => secret.slice(-12),
  "3 the middle": (secret) => secret.slice(2, 14),
  "4 capitals": (secret) => secret.toUpperCase(),
  "5 small letters": (secret) => secret.toLowerCase(),
  "6 the beginning, percent-encoded": (secret) => hex(secret.slice(0, 14)).replaceAll(/../g, "%$&"),
  "7 some characters percent-encoded": (secret) =>
    secret.slice(1).replaceAll(/[aeiou\d]/g, percentOf),
  "8 the beginning, JSON-escaped": (secret) => unicode(secret.slice(0, 14)),
  "9 HTML entities in decimal numbers": (secret) => entities(secret, (code) => String(code)),
  "10 HTML entities in hexadecimal numbers": (secret) =>
    entities(secret, (code) => `x${code.toString(16)}`),
  "11 base64 with line breaks": (secret) => inLines(base64(secret, "base64"), 8, "\n"),
  "12 base64url with line breaks": (secret) => inLines(base64(secret, "base64url"), 10, "\r\n"),
  "13 base64 of the beginning, after other bytes": (secret) =>
    base64(`user:${secret.slice(0, 16)}`, "base64"),
  "14 hex with blanks": (secret) => inLines(hex(secret), 2, " "),
  "15 hex with colons": (secret) => inLines(hex(secret).toUpperCase(), 2, ":"),
  "16 hex with dashes": (secret) => inLines(hex(secret), 4, "-"),
  "17 invisible characters inside": (secret) => inLines(secret, 3, "\u200b"),
  "18 soft hyphens inside": (secret) => inLines(secret, 5, "\u00ad"),
  "19 line breaks inside": (secret) => inLines(secret, 7, "\n"),
  "20 separators inside": (secret) => inLines(secret, 4, "-"),
};

const hex = (text: string): string => Buffer.from(text).toString("hex");
const percentOf = (character: string): string => `%${character.charCodeAt(0).toString(16)}`;
function base64(text: string, coding: "base64" | "base64url"): string {
  return Buffer.from(text).toString(coding);
}
function inLines(text: string, length: number, separator: string): string {
  return (text.match(new RegExp(`.{1,${length}}`, "g")) ?? []).join(separator);
}
function unicode(text: string): string {
  return text.replaceAll(/./g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
function entities(text: string, numberOf: (code: number) => string): string {
  return text.replaceAll(/./g, (one) => `&#${numberOf(one.charCodeAt(0))};`);
}

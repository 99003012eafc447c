/**
 * Secrets and spellings with fewer characters than this are not searched for, because ordinary text
 * contains them by chance.
 */
const shortestSecret = 8;

/**
 * All spellings of a secret that have at least `shortestSecret` characters. In base64, up to
 * two other bytes may stand before the secret.
 */
export function spellingsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, "utf8");
  const hex = bytes.toString("hex");
  const utf16 = Buffer.from(secret, "utf16le").swap16().toString("hex");
  const json = JSON.stringify(secret).slice(1, -1);
  const spellings = [
    secret,
    secret.toWellFormed(),
    ...inBothCases(encodeURIComponent(secret.toWellFormed()), /%../g),
    ...bothCases(hex).map((digits) => digits.replaceAll(/../g, "%$&")),
    json,
    json.replaceAll("/", "\\/"),
    JSON.stringify(json).slice(1, -1),
    ...bothCases(utf16).map((digits) => digits.replaceAll(/..../g, String.raw`\u$&`)),
    ...entitySpellings(secret),
    ...[0, 1, 2].flatMap((shift) => base64Spellings(bytes, shift)),
    ...bothCases(hex),
  ];
  return [...new Set(spellings)].filter((spelling) => spelling.length >= shortestSecret);
}

/**
 * The text as it is, with every match of `part` in small letters, and with every match in capitals.
 */
function inBothCases(text: string, part: RegExp): readonly string[] {
  return [
    text,
    text.replaceAll(part, (match) => match.toLowerCase()),
    text.replaceAll(part, (match) => match.toUpperCase()),
  ];
}

const bothCases = (digits: string): readonly string[] => [digits, digits.toUpperCase()];

const names: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/**
 * The text with its special characters as entities of HTML and XML: as names, also with the
 * apostrophe as it is or as a number, because HTML 4 has no name for it, and as decimal and
 * hexadecimal numbers.
 */
function entitySpellings(text: string): readonly string[] {
  const decimal = (character: string): string => `&#${character.charCodeAt(0)};`;
  const hexadecimal = (character: string): string => `&#x${character.charCodeAt(0).toString(16)};`;
  const named = text.replaceAll(/[&<>"]/g, (character) => names[character] ?? character);
  return [
    named,
    named.replaceAll("'", "&apos;"),
    named.replaceAll("'", "&#39;"),
    named.replaceAll("'", "&#x27;"),
    text.replaceAll(/[&<>"']/g, decimal),
    ...inBothCases(text.replaceAll(/[&<>"']/g, hexadecimal), /(?<=&#x)[0-9a-f]+/g),
  ];
}

/** The secret in base64 and base64url after `before` other bytes, without `=` at the end. */
function base64Spellings(bytes: Buffer, before: number): readonly string[] {
  const text = Buffer.concat([Buffer.alloc(before, "?"), bytes])
    .toString("base64")
    .replaceAll("=", "");
  return [text, text.replaceAll("+", "-").replaceAll("/", "_")];
}

/**
 * Shorter secrets and spellings are not searched for, because ordinary text contains them by
 * chance.
 */
export const shortestSecret = 8;

/**
 * Every spelling of a secret from `shortestSecret` on; of base64, what does not depend on the bytes
 * around it.
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

/** The text as it is, and with what matches in small and in capital letters. */
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
 * HTML and XML: by name, without the apostrophe that HTML 4 does not know, in decimal and
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

/**
 * Base64 and base64url where `shift` bytes stand before the secret: the characters that the secret
 * alone decides.
 */
function base64Spellings(bytes: Buffer, shift: number): readonly string[] {
  const text = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString("base64")
    .replaceAll("=", "");
  const whole = text.slice(
    Math.ceil((shift * 8) / 6),
    Math.floor(((shift + bytes.length) * 8) / 6),
  );
  return [whole, whole.replaceAll("+", "-").replaceAll("/", "_")];
}

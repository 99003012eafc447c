/** A secret in the spellings in which a server, a report or a tool can repeat it. */
export function spellingsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, "utf8");
  const hex = bytes.toString("hex");
  const percent = encodeURIComponent(secret.toWellFormed());
  return [
    ...new Set([
      secret,
      percent,
      percent.replace(/%../g, (code) => code.toLowerCase()),
      JSON.stringify(secret).slice(1, -1),
      JSON.stringify(JSON.stringify(secret)).slice(3, -3),
      secret.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
      secret.replace(/[&<>"']/g, (character) => entities[character] ?? character),
      ...base64Of(bytes),
      hex,
      hex.toUpperCase(),
    ]),
  ].filter((spelling) => spelling.length >= shortest);
}

/** The spellings of secrets that a text holds. Secrets under 8 characters are not searched for. */
export const secretsIn = (text: string, secrets: readonly string[]): readonly string[] =>
  secrets
    .filter((secret) => secret.length >= shortest)
    .flatMap(spellingsOf)
    .filter((spelling) => text.includes(spelling));

/** The text with every spelling of every secret masked. Secrets under 8 characters are not searched for. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let masked = text;
  for (const spelling of secrets.filter((secret) => secret.length >= shortest).flatMap(spellingsOf)) {
    masked = masked.replaceAll(spelling, mask);
  }
  return masked;
}

/** The same, with secrets under 8 characters masked where they stand as words of their own. */
export function withoutSecretWords(text: string, secrets: readonly string[]): string {
  let masked = withoutSecrets(text, secrets);
  for (const secret of secrets.filter(({ length }) => length > 0 && length < shortest)) {
    const literal = secret.replace(/[^\p{L}\p{N}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
    masked = masked.replace(new RegExp(`(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])`, "gu"), mask);
  }
  return masked;
}

const mask = "‹secret›";

/** Anything shorter turns up by chance. */
const shortest = 8;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** In the middle of a longer text, base64 of the same bytes comes in three shapes; their outer characters vary. */
function base64Of(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor(((offset + bytes.length) * 8) / 6);
    const stable = padded.slice(first, last);
    return [stable, stable.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

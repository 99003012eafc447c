import { shortestSecret, spellingsOf } from "../../engine/secrets.ts";

/** The spellings of secrets that a text holds. Secrets under 8 characters are not searched for. */
export const secretsIn = (text: string, secrets: readonly string[]): readonly string[] =>
  secrets
    .filter((secret) => secret.length >= shortestSecret)
    .flatMap(spellingsOf)
    .filter((spelling) => text.includes(spelling));

/** The text with every spelling of every secret masked. Secrets under 8 characters are not searched for. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let masked = text;
  for (const spelling of secrets.filter((secret) => secret.length >= shortestSecret).flatMap(spellingsOf)) {
    masked = masked.replaceAll(spelling, mask);
  }
  return masked;
}

/** The same, with secrets under 8 characters masked where they stand as words of their own. */
export function withoutSecretWords(text: string, secrets: readonly string[]): string {
  let masked = withoutSecrets(text, secrets);
  for (const secret of secrets.filter(({ length }) => length > 0 && length < shortestSecret)) {
    const literal = secret.replace(/[^\p{L}\p{N}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
    masked = masked.replace(new RegExp(`(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])`, "gu"), mask);
  }
  return masked;
}

const mask = "‹secret›";

import { createSecretIndex, shortestSecret, type SecretIndex } from "../../engine/secrets.ts";

/** Whether a text holds a secret in any spelling. Secrets under 8 characters are not searched for. */
export const holdsSecret = (text: string, secrets: readonly string[]): boolean => secretSearch(secrets)(text);

/** The same for many texts. */
export function secretSearch(secrets: readonly string[]): (text: string) => boolean {
  const index = indexOf(secrets);
  return (text) => index.replacedIn(text) !== text;
}

/** The text with every spelling of every secret masked. Secrets under 8 characters are not searched for. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string => indexOf(secrets).replacedIn(text);

function indexOf(secrets: readonly string[]): SecretIndex {
  const index = createSecretIndex();
  for (const secret of secrets) if (secret.length >= shortestSecret) index.add(secret, mask);
  return index;
}

/** The same, with secrets under 8 characters masked if they are separate words. */
export function withoutSecretWords(text: string, secrets: readonly string[]): string {
  let masked = withoutSecrets(text, secrets);
  for (const secret of secrets.filter(({ length }) => length > 0 && length < shortestSecret)) {
    const literal = secret.replace(/[^\p{L}\p{N}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
    masked = masked.replace(new RegExp(`(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])`, "gu"), mask);
  }
  return masked;
}

const mask = "‹secret›";

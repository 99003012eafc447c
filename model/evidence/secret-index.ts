import { createChangedSecrets } from "./changed-secrets.ts";
import { createWholeSecrets } from "./whole-secrets.ts";

export type SecretIndex = ReturnType<typeof createSecretIndex>;

/**
 * Finds secrets in texts: whole ones, and what is left of them. `own`: texts that show no secret.
 */
export function createSecretIndex(own: readonly string[] = []) {
  const whole = createWholeSecrets();
  const changed = createChangedSecrets(own);
  /** Whether only a search for whole secrets finds some of them, such as short ones. */
  let hasOdd = false;
  const mayBeIn = (text: string): boolean => hasOdd || changed.mayBeIn(text);

  /**
   * A server may escape some characters of a secret and others not: then the text without escapes
   * shows it.
   */
  const withoutChanged = (rest: string): string => {
    const plain = /[\\%]/.test(rest) ? unescaped(rest) : rest;
    return plain !== rest && whole.isIn(plain)
      ? whole.replacedIn(plain, changed.replacedIn)
      : changed.replacedIn(rest);
  };

  return {
    /** `changedReplacement` stands for what is left of the secret. */
    add: (secret: string, replacement: string, changedReplacement = replacement): void => {
      whole.add(secret, replacement);
      if (!changed.add(secret, changedReplacement)) hasOdd = true;
    },
    addId: changed.addId,
    /** Whether a text holds a whole secret in one of its spellings. */
    holdsWhole: (text: string): boolean => mayBeIn(text) && whole.isIn(text),
    replacedIn: (text: string): string =>
      mayBeIn(text) ? whole.replacedIn(text, withoutChanged) : text,
  };
}

/**
 * The text with the characters that JSON or percent-encoding spell by their number, once or more
 * deeply.
 */
function unescaped(text: string): string {
  return text
    .replaceAll(/(?<!\\)\\+u([\da-f]{4})/gi, (_, digits: string) => characterOf(digits))
    .replaceAll(/%(?:25)*([2-7][\da-f])/gi, (_, digits: string) => characterOf(digits));
}

const characterOf = (digits: string): string => String.fromCharCode(Number.parseInt(digits, 16));

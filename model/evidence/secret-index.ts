import { createChangedSecrets } from "./changed-secrets.ts";
import { createWholeSecrets } from "./whole-secrets.ts";

export type SecretIndex = ReturnType<typeof createSecretIndex>;

/**
 * Finds secrets in texts: whole secrets, and what is left of changed secrets. `own`: texts that
 * show no secret.
 */
export function createSecretIndex(own: readonly string[] = []) {
  const whole = createWholeSecrets();
  const changed = createChangedSecrets(own);
  /** Whether some secrets, such as short secrets, are found only by a search for whole secrets. */
  let hasOdd = false;
  const mayBeIn = (text: string): boolean => hasOdd || changed.mayBeIn(text);

  /**
   * Replaces what is left of changed secrets in the text between whole ones. A server may escape
   * only some characters of a secret: only the text without escapes shows that secret.
   */
  const withoutChanged = (rest: string): string => {
    const plain = /[\\%]/.test(rest) ? unescaped(rest) : rest;
    return plain !== rest && whole.isIn(plain)
      ? whole.replacedIn(plain, changed.replacedIn)
      : changed.replacedIn(rest);
  };

  return {
    /**
     * Adds a secret. `changedReplacement` replaces what is left of the secret if it was changed.
     */
    add: (secret: string, replacement: string, changedReplacement = replacement): void => {
      whole.add(secret, replacement);
      if (!changed.add(secret, changedReplacement)) hasOdd = true;
    },
    addId: changed.addId,
    /** Whether a text contains a whole secret in one of its spellings. */
    holdsWhole: (text: string): boolean => mayBeIn(text) && whole.isIn(text),
    replacedIn: (text: string): string =>
      mayBeIn(text) ? whole.replacedIn(text, withoutChanged) : text,
  };
}

/**
 * The text with plain characters in place of the escapes of JSON and percent-encoding, even if they
 * are escaped several times.
 */
function unescaped(text: string): string {
  return text
    .replaceAll(/(?<!\\)\\+u([\da-f]{4})/gi, (_, digits: string) => characterOf(digits))
    .replaceAll(/%(?:25)*([2-7][\da-f])/gi, (_, digits: string) => characterOf(digits));
}

const characterOf = (digits: string): string => String.fromCharCode(Number.parseInt(digits, 16));

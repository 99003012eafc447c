import type { Secret, SecretKind } from "../../model/target-secrets.ts";
import { createSecretIndex } from "./secret-index.ts";
import { shortestSecret } from "./secret-spellings.ts";

/** Knows every secret of the run and replaces it in texts, in every spelling that a server can echo. */
export interface Redaction {
  /**
   * Makes a value a secret; `[label]` replaces it. One of fewer than 8 characters is replaced only as a whole value.
   * @defaultValue kind token
   */
  readonly add: (secret: string, label: string, kind?: SecretKind) => void;
  readonly redact: (text: string) => string;
  /** The secrets so far, without the short ones. */
  readonly secrets: () => readonly string[];
}

/**
 * Only so many characters of a longer secret are searched for: it fits no header, and each has about twenty spellings.
 */
const longest = 65_536;

/** Characters of all secrets together: a server that issues a new token each time must not fill the memory. */
const mostText = 1_000_000;

/** Labels of secrets that a server can issue endlessly: the oldest of them are forgotten first. */
const issued = new Set(["token", "cookie"]);

/** A redaction that starts with the `known` secrets; `onSecret` is called once for each value. */
export const createRedaction = (
  onSecret: (secret: string) => void = () => undefined,
  known: readonly Secret[] = [],
): Redaction => {
  const labels = new Map<string, string>();
  const short = new Map<string, string>();
  let index = createSecretIndex();
  let size = 0;

  const forgetOldest = (): void => {
    for (const [secret, label] of labels) {
      if (size <= mostText * 0.75) break;
      if (!issued.has(label)) continue;
      labels.delete(secret);
      size -= secret.length;
    }
    index = createSecretIndex();
    for (const [secret, label] of labels) index.add(secret, `[${label}]`);
  };

  const redaction: Redaction = {
    add: (whole, label) => {
      const secret = whole.slice(0, longest);
      if (secret === "" || labels.has(secret) || short.has(secret)) return;
      if (secret.length < shortestSecret) {
        short.set(secret, label);
        return;
      }
      labels.set(secret, label);
      size += secret.length;
      index.add(secret, `[${label}]`);
      if (size > mostText) forgetOldest();
      onSecret(secret);
    },
    redact: (text) => {
      const [scheme, value] = text.startsWith("Bearer ") ? ["Bearer ", text.slice(7)] : ["", text];
      const whole = short.get(value);
      if (whole !== undefined) return `${scheme}[${whole}]`;
      const members = [...short].reduce(
        (rest, [secret, label]) => rest.replaceAll(JSON.stringify(secret), JSON.stringify(`[${label}]`)),
        text,
      );
      return index.replacedIn(members);
    },
    secrets: () => [...labels.keys()],
  };
  for (const { value, label } of known) redaction.add(value, label);
  return redaction;
};

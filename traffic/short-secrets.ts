import { isPseudonymWord } from "../harness/recording/pseudonyms.ts";
import { shortestSecret } from "../harness/recording/secret-spellings.ts";

/**
 * Secrets of fewer than 8 characters. Ordinary text contains such texts by chance, so only whole values and words
 * count.
 */
export interface ShortSecrets {
  /** True where the secret is one of these; `[label]` replaces it. */
  readonly add: (secret: string, label: string) => boolean;
  /** Replaces a secret that is a whole value, and one of at least 4 characters that is a word. */
  readonly redact: (text: string) => string;
  readonly warnings: () => readonly string[];
}

/** The most secrets that are remembered: a server can issue a new one with each response. */
const mostSecrets = 200;

/** Characters from which a word is hardly ever there by chance. */
const shortestWord = 4;

/** Words of JSON that must stay readable. */
const literals = new Set(["true", "false", "null"]);

export const createShortSecrets = (): ShortSecrets => {
  const labels = new Map<string, string>();
  const warned = new Set<string>();
  let patterns: readonly RegExp[] | undefined;
  return {
    add: (secret, label) => {
      if (secret.length >= shortestSecret) return false;
      if (secret === "" || labels.has(secret) || literals.has(secret)) return true;
      if (!isPseudonymWord(secret)) warned.add(label);
      labels.set(secret, label);
      const [oldest] = labels.keys();
      if (labels.size > mostSecrets && oldest !== undefined) labels.delete(oldest);
      patterns = undefined;
      return true;
    },
    redact: (text) =>
      (patterns ??= patternsOf(labels)).reduce(
        (rest, pattern) => rest.replaceAll(pattern, (found) => `[${labels.get(found) ?? "secret"}]`),
        text,
      ),
    warnings: () =>
      [...warned].map(
        (label) =>
          `A secret (${label}) is shorter than 8 characters: it is taken out of the reports where it is a whole value or a word of its own.`,
      ),
  };
};

const patternsOf = (labels: ReadonlyMap<string, string>): readonly RegExp[] => {
  const all = [...labels.keys()].sort((a, b) => b.length - a.length);
  const words = all.filter((secret) => isWord(secret, labels.get(secret)));
  const any = (secrets: readonly string[]): string =>
    `(?:${secrets.map((secret) => secret.replaceAll(/[^\p{L}\p{N}]/gu, escaped)).join("|")})`;
  return [
    // A whole text or what follows a scheme in it, a whole JSON string, the value of a cookie or of a parameter.
    ...(all.length === 0
      ? []
      : [new RegExp(String.raw`(?<=^(?:[\w\-]+ +)?|["'=])${any(all)}(?=$|\\*["']|[;&])`, "gu")]),
    ...(words.length === 0 ? [] : [new RegExp(String.raw`(?<![\p{L}\p{N}_])${any(words)}(?![\p{L}\p{N}_])`, "gu")]),
  ];
};

const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** Cookies hold words such as a theme or a language, too. */
const isWord = (secret: string, label: string | undefined): boolean =>
  secret.length >= shortestWord && (label !== "cookie" || (/\p{L}/u.test(secret) && /\p{N}/u.test(secret)));

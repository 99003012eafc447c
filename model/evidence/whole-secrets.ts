import { shortestSecret, spellingsOf } from "./secret-spellings.ts";

interface Spelled {
  readonly spelling: string;
  readonly hash: number;
  readonly replacement: string;
}

type TextChange = (text: string) => string;

/**
 * Finds whole secrets in each of their spellings, with one pass through a text, however many
 * secrets there are.
 */
export function createWholeSecrets() {
  const beginnings = new Map<string, Spelled[]>();
  /**
   * Has a 1 at the index that `markAt` makes of the first characters of each spelling, so that few
   * places of a text need a closer look.
   */
  const marks = new Uint8Array(65_536);

  /**
   * The first secret in a text from `from` on, and the longest if several begin at its place.
   * Undefined if there is none.
   */
  const nextIn = (text: string, from: number, hashes: () => Hashes): FoundSecret | undefined => {
    const last = text.length - shortestSecret;
    for (let at = from; at <= last; at++) {
      if (marks[markAt(text, at)] === 0) continue;
      const candidates = beginnings.get(text.slice(at, at + shortestSecret));
      const spelled = candidates && longestAt(text, at, candidates, hashes());
      if (spelled !== undefined) return { spelled, at };
    }
    return undefined;
  };

  return {
    add: (secret: string, replacement: string): void => {
      for (const spelling of spellingsOf(secret)) {
        const beginning = spelling.slice(0, shortestSecret);
        const others = beginnings.get(beginning) ?? [];
        others.push({ spelling, hash: hashOf(spelling), replacement });
        beginnings.set(beginning, others);
        marks[markAt(spelling, 0)] = 1;
      }
    },
    isIn: (text: string): boolean => nextIn(text, 0, lazily(text)) !== undefined,
    /** The text with each secret replaced. `between` is applied to the text between the secrets. */
    replacedIn: (text: string, between: TextChange): string => {
      const hashes = lazily(text);
      let replaced = "";
      let from = 0;
      let found = nextIn(text, from, hashes);
      if (found === undefined) return between(text);
      while (found !== undefined) {
        const { at, spelled } = found;
        replaced += between(text.slice(from, at)) + spelled.replacement;
        from = at + spelled.spelling.length;
        found = nextIn(text, from, hashes);
      }
      return replaced + between(text.slice(from));
    },
  };
}

interface FoundSecret {
  readonly spelled: Spelled;
  readonly at: number;
}

function longestAt(
  text: string,
  at: number,
  candidates: readonly Spelled[],
  hashes: Hashes,
): Spelled | undefined {
  let found: Spelled | undefined;
  for (const spelled of candidates) {
    const { length } = spelled.spelling;
    if (length <= (found?.spelling.length ?? 0) || at + length > text.length) continue;
    // The hashes are compared first: otherwise a repetitive text would be read again at each of its
    // places.
    if (
      partHash(hashes, at, at + length) !== spelled.hash ||
      !text.startsWith(spelled.spelling, at)
    )
      continue;
    found = spelled;
  }
  return found;
}

/** The three characters of a text that begin at a place, as a number below 65,536. */
function markAt(text: string, at: number): number {
  return (
    (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) & 0xffff
  );
}

const base = 0x01_00_01_93;

/**
 * The hash of each beginning of a text, and for each length the factor by which as many further
 * characters multiply a hash.
 */
interface Hashes {
  readonly beginnings: Int32Array;
  readonly factors: Int32Array;
}

/** Returns a function that makes the hashes of a text when it is first called, and only once. */
function lazily(text: string): () => Hashes {
  let hashes: Hashes | undefined;
  return () => (hashes ??= hashesOf(text));
}

function hashesOf(text: string): Hashes {
  const beginnings = new Int32Array(text.length + 1);
  const factors = new Int32Array(text.length + 1);
  let hash = 0;
  let factor = 1;
  factors[0] = factor;
  for (let at = 0; at < text.length; at++) {
    hash = (Math.imul(hash, base) + text.charCodeAt(at) + 1) | 0;
    factor = Math.imul(factor, base);
    beginnings[at + 1] = hash;
    factors[at + 1] = factor;
  }
  return { beginnings, factors };
}

function partHash({ beginnings, factors }: Hashes, from: number, to: number): number {
  return ((beginnings[to] ?? 0) - Math.imul(beginnings[from] ?? 0, factors[to - from] ?? 0)) | 0;
}

function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++)
    hash = (Math.imul(hash, base) + text.charCodeAt(at) + 1) | 0;
  return hash;
}

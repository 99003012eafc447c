import { shortestSecret, spellingsOf } from "./secret-spellings.ts";

/** Finds secrets by how their spellings begin: one pass through a text, however many secrets there are. */
export interface SecretIndex {
  readonly add: (secret: string, replacement: string) => void;
  /** The text with each secret replaced. If several begin at one place, the longest is replaced. */
  readonly replacedIn: (text: string) => string;
}

/** A spelling of a secret, and its replacement. */
interface Spelled {
  readonly spelling: string;
  readonly replacement: string;
}

export const createSecretIndex = (): SecretIndex => {
  const beginnings = new Map<string, Spelled[]>();
  /** Marks how spellings begin, so that few places of a text need a closer look. */
  const marks = new Uint8Array(65_536);

  const longestAt = (text: string, at: number): Spelled | undefined => {
    let found: Spelled | undefined;
    for (const spelled of beginnings.get(text.slice(at, at + shortestSecret)) ?? []) {
      if (spelled.spelling.length > (found?.spelling.length ?? 0) && text.startsWith(spelled.spelling, at))
        found = spelled;
    }
    return found;
  };

  return {
    add: (secret, replacement) => {
      for (const spelling of spellingsOf(secret)) {
        const beginning = spelling.slice(0, shortestSecret);
        const others = beginnings.get(beginning);
        if (others === undefined) beginnings.set(beginning, [{ spelling, replacement }]);
        else others.push({ spelling, replacement });
        marks[markAt(spelling, 0)] = 1;
      }
    },
    replacedIn: (text) => {
      let replaced = "";
      let from = 0;
      for (let at = 0; at + shortestSecret <= text.length; at++) {
        if (marks[markAt(text, at)] === 0) continue;
        const found = longestAt(text, at);
        if (found === undefined) continue;
        replaced += `${text.slice(from, at)}${found.replacement}`;
        from = at + found.spelling.length;
        at = from - 1;
      }
      return from === 0 ? text : replaced + text.slice(from);
    },
  };
};

/** A number under 65,536 for three characters. */
const markAt = (text: string, at: number): number =>
  (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) & 0xffff;

import { oddTexts, type Mutation } from "../../../generators/index.ts";

/** A text that is legal in JSON and that careless code stumbles over. */
export type OddText = (typeof oddTexts)[number];

/**
 * Which of the generators' values are sent where, by their ids: the one place that knows them.
 */
const chosen = {
  /** Values of wrong types that are sent only where a rule says that they are refused. */
  rare: [
    "empty string",
    "zero",
    "false",
    "empty object",
    "empty array",
    "whole number as a string",
    "one",
    "halves",
    "reference",
  ],
  /** Values of wrong types that are sent at the top of a body, and not below. */
  topOnly: ["boolean", "string", "array"],
  /** Texts that are no JSON, one for each way in which parsers fail. */
  malformed: [
    "only its first half",
    "a trailing comma",
    "NaN",
    "two texts in a row",
    "a bare word in place of JSON",
    "an unknown escape",
  ],
  /** Texts that fail in different ways: escaping, encodings of one, two, three and four bytes, length. */
  classic: [
    "double quotes",
    "a backslash",
    "a line break and a tab",
    "an escaped zero byte",
    "half a character",
    "no character",
    "blanks alone",
    "Latin letters with marks",
    "Chinese",
    "an emoji outside the basic plane",
    "2000 characters",
    "what programs read as code",
  ],
  /** Texts that a server may trim, normalise or replace without doing wrong. */
  fragile: [
    "a line break and a tab",
    "combining accents",
    "spaces at both ends",
    "an escaped control character",
    "an escaped zero byte",
    "half a character",
    "no character",
    "blanks alone",
    "a zero width space",
  ],
  /** Texts that an external_id has besides the classic ones. */
  external: ["an apostrophe", "angle brackets", "Cyrillic", "a percent sign"],
  marks: ["Latin letters with marks"],
} as const satisfies Record<string, readonly string[]>;

const isOneOf = (ids: readonly string[], id: string): boolean => ids.includes(id);

/** The value that a mutation puts in the place of the right one: its id without the pointer. */
export const valueOf = ({ id, pointer }: Mutation): string => id.slice(0, -pointer.length - 1);

export const isRareValue = (mutation: Mutation): boolean => isOneOf(chosen.rare, valueOf(mutation));

/** Whether a change teaches more than it costs where nobody states what is refused. */
export const isLikelyMistake = (mutation: Mutation): boolean =>
  !isRareValue(mutation) && (mutation.pointer.lastIndexOf("/") === 0 || !isOneOf(chosen.topOnly, valueOf(mutation)));

export const isClassicMalformation = ({ id }: { readonly id: string }): boolean => isOneOf(chosen.malformed, id);

/** What comes back of a fragile text is not judged. */
export const isFragile = ({ id }: { readonly id: string }): boolean => isOneOf(chosen.fragile, id);

export const hasMarks = ({ id }: OddText): boolean => isOneOf(chosen.marks, id);

export const classicTexts: readonly OddText[] = oddTexts.filter(({ id }) => isOneOf(chosen.classic, id));

/** Texts that come back as they are wherever text is kept at all: nothing that trimming or normalising would change. */
export const sturdyTexts: readonly OddText[] = oddTexts
  .filter((odd) => !isFragile(odd) && (classicTexts.includes(odd) || isOneOf(chosen.external, odd.id)))
  .map(({ id, text }) => ({ id, text: text.trim() }));

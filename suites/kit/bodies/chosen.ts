import { oddTexts, type Mutation } from "../../../generators/index.ts";

/** A text that is legal in JSON and that careless code stumbles over. */
export type OddText = (typeof oddTexts)[number];

/** Whether a change is worth its request where the specification does not say what is refused. */
export const isLikelyMistake = ({ rare, pointer, sent }: Mutation): boolean =>
  !rare && (pointer.lastIndexOf("/") === 0 || !["boolean", "string", "array"].includes(sent ?? ""));

/** Texts that fail in different ways: escaping, encodings of one, two, three and four bytes, length. */
export const classicTexts: readonly OddText[] = oddTexts.filter(({ likely }) => likely);

/** Texts that come back as they are wherever text is kept at all: nothing that trimming or normalising would change. */
export const sturdyTexts: readonly OddText[] = oddTexts
  .filter(({ likely, altered, fragile }) => (likely === true || altered === true) && fragile !== true)
  .map((odd) => ({ ...odd, text: odd.text.trim() }));

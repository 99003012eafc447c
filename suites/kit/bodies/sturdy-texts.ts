import { oddTexts, type OddText } from "../../../generators/index.ts";

/** Texts that come back as they are wherever text is kept at all: nothing that trimming or normalising would change. */
export const sturdyTexts: readonly OddText[] = oddTexts
  .filter(({ fragile }) => fragile !== true)
  .map((odd) => ({ ...odd, text: odd.text.trim() }));

/** What an identifier or a purpose has to return as it was sent, though a name may be trimmed or normalised. */
export const exactTexts: readonly OddText[] = [
  ...oddTexts.filter(({ id }) => ["spaces at both ends", "combining accents"].includes(id)),
  ...sturdyTexts,
];

import { oddTexts, type OddText } from "../../../generators/index.ts";

/** Texts that every server returns unchanged: trimming and normalising do not change them. */
export const sturdyTexts: readonly OddText[] = oddTexts
  .filter(({ fragile }) => fragile !== true)
  .map((odd) => ({ ...odd, text: odd.text.trim() }));

/** Texts that an identifier or a purpose must return unchanged, although a name may be trimmed or normalised. */
export const exactTexts: readonly OddText[] = [
  ...oddTexts.filter(({ id }) => ["spaces at both ends", "combining accents"].includes(id)),
  ...sturdyTexts,
];

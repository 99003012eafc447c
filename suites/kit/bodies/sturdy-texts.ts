import { oddTexts, type OddText } from "../../../generators/index.ts";

/** Texts that come back as they are wherever text is kept at all: nothing that trimming or normalising would change. */
export const sturdyTexts: readonly OddText[] = oddTexts
  .filter(({ fragile }) => fragile !== true)
  .map((odd) => ({ ...odd, text: odd.text.trim() }));

import { jsonSpellings } from "../../generators/index.ts";
import type { Change } from "../kit/index.ts";

interface SpelledChange extends Change {
  readonly what: string;
}

/** Ways to write the right body that differ from `JSON.stringify`. */
export const spellings: readonly SpelledChange[] = jsonSpellings.map(({ id, spell }) => ({
  what: `written with ${id}`,
  text: spell,
  breaksNoRule: true,
}));

import { jsonSpellings } from "../../generators/index.ts";
import type { Change, Table } from "../kit/index.ts";

interface SpelledChange extends Change {
  readonly what: string;
}

const rows = jsonSpellings.map(({ id, spell }): SpelledChange => ({
  what: `written with ${id}`,
  text: spell,
  breaksNoRule: true,
}));

/** Ways to write the right body that differ from `JSON.stringify`. */
export const spellings: Table<SpelledChange> = {
  name: "spellings of JSON",
  always: rows.slice(0, 6),
  sometimes: rows.slice(6),
};

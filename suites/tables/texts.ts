import { oddTexts, type OddText } from "../../generators/index.ts";
import type { Change, Table, Value } from "../kit/index.ts";

/** An odd text at a place of a body. */
export interface OddChange extends Change {
  readonly what: string;
}

interface OddTextOptions {
  /** Those that most likely show a fault first. @defaultValue all odd texts */
  readonly texts?: readonly OddText[];
  /** What is sent for a text. @defaultValue the text itself */
  readonly value?: (text: string) => Value;
  /** Whether a server may store another text than this one. @defaultValue where hardly any server keeps the text */
  readonly mayBeAltered?: (odd: OddText) => boolean;
}

/** Odd texts at a place: every run sends the first `always`, and some of the others. */
export function oddTextsAt(place: string, always: number, options: OddTextOptions = {}): Table<OddChange> {
  const { texts = oddTexts, value = (text) => text, mayBeAltered = isFragile } = options;
  const rows = texts.map((odd): OddChange => ({
    what: `with ${odd.id} in ${place}`,
    with: { [place]: value(odd.text) },
    ...(mayBeAltered(odd) ? { mayBeAltered: true } : { breaksNoRule: true }),
  }));
  return { name: `texts in ${place}`, always: rows.slice(0, always), sometimes: rows.slice(always) };
}

const isFragile = ({ fragile }: OddText): boolean => fragile !== undefined;

import { oddTexts, type OddText } from "../../generators/index.ts";
import type { Change, Table, Value } from "../kit/index.ts";

/** An odd text at a place of a body. */
export interface OddChange extends Change {
  readonly what: string;
}

interface OddTextOptions {
  /** Makes the value that is sent from a text. @defaultValue the text itself */
  readonly value?: (text: string) => Value;
  /**
   * Whether a server may store another text than this one. @defaultValue for texts that hardly any
   * server keeps
   */
  readonly mayBeAltered?: (odd: OddText) => boolean;
}

interface OddTableOptions extends OddTextOptions {
  /** The texts, the most revealing first. @defaultValue all odd texts */
  readonly texts?: readonly OddText[];
}

/** Odd texts at a place. Every run sends the first `always` of them, and some of the others. */
export function oddTextsAt(
  place: string,
  always: number,
  options: OddTableOptions = {},
): Table<OddChange> {
  const { texts = oddTexts } = options;
  const rows = texts.map((odd) => withOddText(odd, place, [place], options));
  return {
    name: `texts in ${place}`,
    always: rows.slice(0, always),
    sometimes: rows.slice(always),
  };
}

/** The rows of several tables in one: all rows that are always sent, and `drawn` of the others. */
export function joinedTables<Row>(
  name: string,
  tables: readonly Table<Row>[],
  drawn: number,
): Table<Row> {
  return {
    name,
    always: tables.flatMap(({ always }) => always),
    sometimes: tables.flatMap(({ sometimes = [] }) => sometimes),
    drawn,
  };
}

/**
 * The change that puts an odd text at one place or several. `where`: these places in words, such as
 * `every code`.
 */
export function withOddText(
  odd: OddText,
  where: string,
  places: readonly string[] = [where],
  { value = (text) => text, mayBeAltered = isFragile }: OddTextOptions = {},
): OddChange {
  return {
    what: `with ${odd.id} in ${where}`,
    odd: odd.id,
    with: Object.fromEntries(places.map((place) => [place, value(odd.text)])),
    ...(mayBeAltered(odd) ? { mayBeAltered: true } : { breaksNoRule: true }),
  };
}

const isFragile = ({ fragile }: OddText): boolean => fragile !== undefined;

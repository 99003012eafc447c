import { oddTexts, type OddText } from "../../generators/index.ts";
import { asPlainText, derived, type Change, type Value } from "../kit/index.ts";

/** A change that puts an odd text at one place of a body, or at several. */
export interface OddChange extends Change {
  readonly what: string;
}

interface OddTextOptions {
  /** Makes the value that is sent from a text. @defaultValue the text itself */
  readonly value?: (text: string) => Value;
  /**
   * Whether a server may store another text than the one that is sent. @defaultValue true for texts
   * that are `fragile`
   */
  readonly mayBeAltered?: (odd: OddText) => boolean;
}

interface OddTableOptions extends OddTextOptions {
  /** The texts, the most revealing first. @defaultValue all odd texts */
  readonly texts?: readonly OddText[];
}

/** Makes the changes that put the first `most` odd texts at a place, each in a request of its own. */
export function oddTextsAt(
  place: string,
  most: number,
  options: OddTableOptions = {},
): readonly OddChange[] {
  const { texts = oddTexts } = options;
  return texts.slice(0, most).map((odd) => withOddText(odd, place, [place], options));
}

/**
 * Returns the change that puts an odd text at one place or several. `where`: the places in words,
 * such as `every code`.
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

/** Puts an external id of another format in place of the right one. Sixteen digits make it unique. */
export function idLike(what: string, made: (digits: string) => string): OddChange {
  const value = derived(what, (right) => made(digitsOf(asPlainText(right))));
  return {
    what: `with ${what} in /external_id`,
    with: { "/external_id": value },
    breaksNoRule: true,
  };
}

/** Sixteen digits from the last bytes of a text, so that they differ when texts differ. */
function digitsOf(text: string): string {
  const bytes = Buffer.from(text).toString("hex");
  return BigInt(`0x${bytes}`).toString().slice(-16).padStart(16, "1");
}

import { ofTheSameShape } from "./credentials/altered-secret.ts";

/** Far from what a server that counts has come to. */
const farAway = 900_000_017n;

/**
 * An id of the shape that this server gives, which it has not given: a UUID for a UUID, a number for a number. Where
 * only the text `nothing` is tried, a server that looks at the shape first hides what it does afterwards. Undefined
 * where the id is too short to be sure.
 */
export const unknownLike = (id: string): string | undefined => {
  const hex = /[0-9a-f]{8,}(?![0-9a-z])/gi;
  const lastHex = [...id.matchAll(hex)].findLast(([run]) => /[a-f]/i.test(run) || run.length === 12);
  if (lastHex !== undefined) return replaced(id, lastHex.index, lastHex[0], shiftedHex(lastHex[0]));
  const number = /\d+$/.exec(id);
  if (number !== null) return replaced(id, number.index, number[0], String(BigInt(number[0]) + farAway));
  const word = /[A-Za-z0-9]{8,}$/.exec(id);
  if (word === null) return undefined;
  // A number before the word may be what it is looked up by.
  const before = id.slice(0, word.index).replace(/\d+/, (digits) => String(BigInt(digits) + farAway));
  return before + ofTheSameShape(word[0]);
};

/**
 * The id with a letter behind its number, which a server that reads no further than the digits takes for the number.
 * None for other ids: what decodes ids may stop at their end.
 */
export const withLetterBehind = (id: string): readonly string[] =>
  /(?:^|[^A-Za-z0-9])\d{1,15}$/.test(id) ? [`${id}x`] : [];

const replaced = (id: string, at: number, old: string, now: string): string =>
  id.slice(0, at) + now + id.slice(at + old.length);

/** Each digit another one, in the same case. */
const shiftedHex = (run: string): string =>
  run.replaceAll(/./g, (digit) => {
    const other = ((Number.parseInt(digit, 16) + 7) % 16).toString(16);
    return /[A-F]/.test(run) ? other.toUpperCase() : other;
  });

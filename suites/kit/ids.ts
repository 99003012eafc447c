import { ofTheSameShape } from "./credentials/secrets.ts";

/** An offset far above the ids that a server with counted ids has reached. */
const farAway = 900_000_017n;

/** An id that was not issued, in the shape of this one: servers may check the shape first. Undefined for a short id. */
export const unknownLike = (id: string): string | undefined => {
  const hex = /[0-9a-f]{8,}(?![0-9a-z])/gi;
  const lastHex = [...id.matchAll(hex)].findLast(([run]) => /[a-f]/i.test(run) || run.length === 12);
  if (lastHex !== undefined) return replaced(id, lastHex.index, lastHex[0], shiftedHex(lastHex[0]));
  const number = /\d+$/.exec(id);
  if (number !== null) return replaced(id, number.index, number[0], String(BigInt(number[0]) + farAway));
  const word = /[A-Za-z0-9]{8,}$/.exec(id);
  if (word === null) return undefined;
  // The server may look the id up by a number before the word.
  const before = id.slice(0, word.index).replace(/\d+/, (digits) => String(BigInt(digits) + farAway));
  return before + ofTheSameShape(word[0]);
};

/** The id followed by plain letters: it is the id of no object (INT-36). */
export const withLettersBehind = (id: string): string => `${id}xqzv`;

/** Whether these two ids suggest random ids that cannot be guessed: at least 64 bits differ between them (INT-39). */
export const areRandom = (one: string, other: string): boolean => {
  if (one.length !== other.length) return false;
  const bits = [...one].map((character, at) => {
    if (character === other[at]) return 0;
    return /^[0-9a-f-]+$/i.test(one) ? 4 : 5;
  });
  return bits.reduce<number>((sum, each) => sum + each, 0) >= 64;
};

/** Whether an id of another kind cannot be one of this kind by chance: each kind has a prefix, or ids are random (INT-36). */
export const cannotCoincide = (kind: readonly [string, string], other: string): boolean => {
  const prefix = (id: string): string => /^[A-Za-z]+(?=[-_:/.])/.exec(id)?.[0] ?? "";
  const [own, foreign] = [prefix(kind[0]), prefix(other)];
  const hasPrefix = own !== "" && foreign !== "" && own !== foreign && prefix(kind[1]) === own;
  // The first operation of a counterparty may have its id.
  return !kind.includes(other) && (hasPrefix || areRandom(...kind));
};

const replaced = (id: string, at: number, old: string, now: string): string =>
  id.slice(0, at) + now + id.slice(at + old.length);

const shiftedHex = (run: string): string =>
  run.replaceAll(/./g, (digit) => {
    const other = ((Number.parseInt(digit, 16) + 7) % 16).toString(16);
    return /[A-F]/.test(run) ? other.toUpperCase() : other;
  });

import { ofTheSameShape } from "./credentials/secrets.ts";

/** An id that was not issued, in the shape of this random one (`areRandom`): servers may check prefix and shape first. */
export const unknownLike = (id: string): string => {
  const run = id.match(/[0-9a-z]{8,}/gi)?.at(-1) ?? id;
  const isHexadecimal = /^[0-9a-f]+$/i.test(run) && /[a-f]/i.test(run);
  return id.replace(run, isHexadecimal ? shiftedHex : ofTheSameShape);
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

/** Whether an id by itself suggests that it is random: a UUID, or as many letters and digits of one kind. */
export const isRandom = (id: string): boolean => {
  const hexadecimal = id.replaceAll("-", "");
  return /^[\da-f]{32,}$/i.test(hexadecimal) && new Set(hexadecimal).size >= 8;
};

/** Whether an id of another kind cannot be one of this kind by chance: each kind has a prefix, or ids are random (INT-36). */
export const cannotCoincide = (kind: readonly [string, string], other: string): boolean => {
  const prefix = (id: string): string => /^[A-Za-z]+(?=[-_:/.])/.exec(id)?.[0] ?? "";
  const [own, foreign] = [prefix(kind[0]), prefix(other)];
  const hasPrefix = own !== "" && foreign !== "" && own !== foreign && prefix(kind[1]) === own;
  // The first operation of a counterparty may have its id.
  return !kind.includes(other) && (hasPrefix || areRandom(...kind));
};

const shiftedHex = (run: string): string =>
  run.replaceAll(/./g, (digit) => {
    const other = ((Number.parseInt(digit, 16) + 7) % 16).toString(16);
    return /[A-F]/.test(run) ? other.toUpperCase() : other;
  });

const letters = "abcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";

/**
 * The text to append: so long that even a decoder which ignores stray characters sees other bytes.
 */
const tail = "Zq7Wm2Kx9T";

/**
 * Returns the secret with another letter or digit near `where`, a share of its length. The
 * replacement changes bits that count in base64.
 */
export function withOneCharacterReplaced(secret: string, where = 0.5): string {
  const start = Math.floor(secret.length * where);
  const order = Array.from(
    { length: secret.length * 2 },
    (_, step) => start + (step % 2 === 0 ? step / 2 : -(step + 1) / 2),
  );
  const isPlain = (at: number): boolean => /[A-Za-z0-9]/.test(secret.charAt(at));
  const inside = (at: number): boolean => [at - 1, at, at + 1, at + 2, at + 3].every(isPlain);
  const at = order.find(inside) ?? order.find(isPlain) ?? start;
  return secret.slice(0, at) + otherThan(secret.charAt(at)) + secret.slice(at + 1);
}

/**
 * Returns the secret with another first or last character: a digit for a capital letter, else a
 * letter. The kinds differ, so that the change shows in every coding.
 */
export function withEndReplaced(secret: string, end: "first" | "last"): string {
  const at = end === "first" ? 0 : secret.length - 1;
  const character = secret.charAt(at);
  const instead = /[a-z]/.test(character) ? "Q" : "g";
  const other = /[A-Z]/.test(character) ? "7" : instead;
  return secret.slice(0, at) + other + secret.slice(at + 1);
}

export const withTail = (secret: string): string => secret + tail;

/** Returns about the first two thirds of the secret: nothing of a secret of one character. */
export function truncated(secret: string): string {
  return secret.slice(0, Math.floor((secret.length * 2) / 3));
}

/** The secret in the other letter case. Unchanged if it has no letters. */
export function inOtherCase(secret: string): string {
  return secret.replaceAll(/[A-Za-z]/g, (c) =>
    c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase(),
  );
}

/** A text with the length and the punctuation of the secret, but with other letters and digits. */
export function ofTheSameShape(secret: string): string {
  return secret.replaceAll(/[A-Za-z0-9]/g, otherThan);
}

/** Another letter or digit of the same kind. */
export function otherThan(character: string): string {
  const alphabet = /[0-9]/.test(character) ? digits : letters;
  const at = alphabet.indexOf(character.toLowerCase());
  const other = alphabet.charAt((at + 7) % alphabet.length);
  return /[A-Z]/.test(character) ? other.toUpperCase() : other;
}

/**
 * Changes a random id (`areRandom`) into one that was not issued. The new id keeps the prefix and
 * the shape, which servers may check first.
 */
export function unknownLike(id: string): string {
  const run = id.match(/[0-9a-z]{8,}/gi)?.at(-1) ?? id;
  const isHexadecimal = /^[0-9a-f]+$/i.test(run) && /[a-f]/i.test(run);
  return id.replace(run, isHexadecimal ? shiftedHex : ofTheSameShape);
}

/**
 * Ids that differ in little from a random id (`areRandom`), so that nothing has one of them: in
 * their last letter or digit and, where the id has letters of both cases, in letter case. The last
 * character of a text in base64 may have few bits that count: another kind of character differs in
 * these.
 */
export function idsNear(id: string): readonly string[] {
  const isOfBothCases = /[a-z]/.test(id) && /[A-Z]/.test(id);
  const isHexadecimal = /(^|[^0-9a-z])[0-9a-f]{8,}$/i.test(id);
  const replaced = (last: string): string => {
    if (isOfBothCases) return /[A-Z]/.test(last) ? "7" : "A";
    return isHexadecimal ? shiftedHex(last) : otherThan(last);
  };
  const near = id.replace(/[0-9a-z](?=[^0-9a-z]*$)/i, replaced);
  return [near, ...(isOfBothCases ? [inOtherCase(id)] : [])].filter((one) => one !== id);
}

/** The id followed by plain letters. No object has this id (INT-36). */
export const withLettersBehind = (id: string): string => `${id}xqzv`;

/** Whether two ids look random and cannot be guessed: they differ in at least 64 bits (INT-39). */
export function areRandom(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  const bits = [...one].map((character, at) => {
    if (character === other[at]) return 0;
    return /^[0-9a-f-]+$/i.test(one) ? 4 : 5;
  });
  return bits.reduce<number>((sum, each) => sum + each, 0) >= 64;
}

/**
 * Whether a single id looks random: it has at least 32 hexadecimal digits, as a UUID has, and at
 * least eight different ones.
 */
export function isRandom(id: string): boolean {
  const hexadecimal = id.replaceAll("-", "");
  return /^[\da-f]{32,}$/i.test(hexadecimal) && new Set(hexadecimal).size >= 8;
}

/**
 * Whether the id of another kind of resource cannot also be an id of this kind, of which `kind` has
 * two: the kinds have different prefixes, or all three ids are random (INT-36). A server whose ids
 * begin with words such as `none` may give such a word to both kinds.
 */
export function cannotCoincide(kind: readonly [string, string], other: string): boolean {
  const prefix = (id: string): string => /^[A-Za-z]+(?=[-_:/.])/.exec(id)?.[0] ?? "";
  const own = prefix(kind[0]);
  const foreign = prefix(other);
  const hasPrefix = own !== "" && foreign !== "" && own !== foreign && prefix(kind[1]) === own;
  // The first operation of a counterparty may have the same id as the counterparty.
  const isRandomToo = areRandom(...kind) && areRandom(kind[0], other);
  return !kind.includes(other) && (hasPrefix || isRandomToo);
}

function shiftedHex(run: string): string {
  return run.replaceAll(/./g, (digit) => {
    const other = ((Number.parseInt(digit, 16) + 7) % 16).toString(16);
    return /[A-F]/.test(run) ? other.toUpperCase() : other;
  });
}

/**
 * The characters of a text, as a reader reads them: in small letters, without those that nobody
 * sees. Only the first `length` elements of the arrays count.
 */
export interface Characters {
  readonly codes: Uint16Array;
  /** Where each character comes from. What the number means, only the reader knows. */
  readonly origins: Uint32Array;
  readonly length: number;
}

export interface WritableCharacters extends Characters {
  length: number;
}

export function charactersFor(size: number): WritableCharacters {
  return { codes: new Uint16Array(size), origins: new Uint32Array(size), length: 0 };
}

/** Adds a character to the end. */
export function append(characters: WritableCharacters, code: number, origin: number): void {
  const { length } = characters;
  characters.codes[length] = code;
  characters.origins[length] = origin;
  characters.length = length + 1;
}

/** A code that no character has: it separates what does not belong together. */
export const separator = 0xff_ff;

/**
 * Ranges of characters that are skipped: blanks, controls, invisible characters and halves of
 * surrogate pairs.
 */
const unseen: readonly (readonly [from: number, to: number])[] = [
  [0x00_00, 0x00_20],
  [0x00_7f, 0x00_a0],
  [0x00_ad, 0x00_ad],
  [0x03_4f, 0x03_4f],
  [0x06_1c, 0x06_1c],
  [0x11_5f, 0x11_60],
  [0x16_80, 0x16_80],
  [0x17_b4, 0x17_b5],
  [0x18_0b, 0x18_0f],
  [0x20_00, 0x20_0f],
  [0x20_28, 0x20_2f],
  [0x20_5f, 0x20_6f],
  [0x28_00, 0x28_00],
  [0x30_00, 0x30_00],
  [0x31_64, 0x31_64],
  [0xd8_00, 0xdf_ff],
  [0xfe_00, 0xfe_0f],
  [0xfe_ff, 0xfe_ff],
  [0xff_a0, 0xff_a0],
  [0xff_f0, 0xff_ff],
];

/** For each character, its small letter, or 0 if the character is skipped. */
export const small = Uint16Array.from({ length: 65_536 }, (_, code) =>
  code >= 0x41 && code <= 0x5a ? code + 0x20 : code,
);
for (const [from, to] of unseen) small.fill(0, from, to + 1);

/** 1 for every character that is not skipped. */
export const isSeen = new Uint8Array(65_536).fill(1, 1);

/** 1 for the small letters and digits of ASCII. */
export const isLetter = new Uint8Array(65_536);
isLetter.fill(1, 0x30, 0x3a);
isLetter.fill(1, 0x61, 0x7b);

import { randomInt } from "node:crypto";
import type { Characters } from "./characters.ts";

/** So many characters in a row of a text are a piece of it, and show it. */
export const pieceLength = 12;

/** A text whose pieces are known. `owner` says whose it is. */
export interface KnownText {
  readonly owner: number;
  readonly length: number;
}

/**
 * Known characters in a row, from `first` to `last`: each piece of them is a piece of one of
 * `texts`.
 */
export interface KnownRun {
  readonly first: number;
  readonly last: number;
  readonly texts: ReadonlySet<KnownText>;
}

export type Pieces = ReturnType<typeof createPieces>;

/**
 * The pieces of texts, each with the text that has it: the shortest if several have. A text that is
 * shorter than a piece is a piece of its own length. A piece of one repeated character shows
 * nothing, and a text of one repeated character is known as a whole.
 */
export function createPieces() {
  const kept = createKept();
  const tables = new Map<number, PieceTable>();
  /** The texts that repeat one character: of each character, the shortest. */
  const repeated = new Map<number, KnownText>();

  return {
    /** How many characters are kept. */
    size: kept.size,
    isEmpty: (): boolean => tables.size + repeated.size === 0,
    add: (characters: Characters, owner: number): void => {
      const { codes, length } = characters;
      if (length === 0) return;
      const text = { owner, length };
      const [first = 0] = codes;
      if (codes.subarray(0, length).every((code) => code === first)) {
        if (length < (repeated.get(first)?.length ?? Infinity)) repeated.set(first, text);
        return;
      }
      const size = Math.min(length, pieceLength);
      const table = tables.get(size) ?? createPieceTable(size, kept);
      tables.set(size, table);
      table.add(characters, kept.append(characters, text));
    },
    /** Calls `visit` for each longest run of known characters. */
    forEachRun: (characters: Characters, visit: (run: KnownRun) => void): void => {
      for (const table of tables.values()) table.forEachRun(characters, visit);
      if (repeated.size === 0) return;
      forEachRepetition(characters, (code, first, last) => {
        const text = repeated.get(code);
        if (text !== undefined && last - first + 1 >= text.length)
          visit({ first, last, texts: new Set([text]) });
      });
    },
    /** Sets to 1, in `marked`, the characters from `first` on that belong to a known piece. */
    mark: (characters: Characters, first: number, marked: Uint8Array): void => {
      for (const table of tables.values()) table.mark(characters, first, marked);
    },
  };
}

function forEachRepetition(
  { codes, length }: Characters,
  visit: (code: number, first: number, last: number) => void,
): void {
  let first = 0;
  for (let at = 1; at <= length; at++) {
    if (at < length && codes[at] === codes[first]) continue;
    visit(codes[first] ?? 0, first, at - 1);
    first = at;
  }
}

/** Keeps the characters of texts in a row, and for the piece at each place the text that has it. */
function createKept() {
  let codes = new Uint16Array(1024);
  let numbers = new Int32Array(1024);
  const texts: KnownText[] = [];
  let size = 0;
  return {
    size: (): number => size,
    codes: (): Uint16Array => codes,
    textAt: (place: number): KnownText | undefined => texts[numbers[place] ?? 0],
    /** Lets the piece at a place belong to the text at another place, if that is shorter. */
    handOver: (place: number, other: number): void => {
      const known = numbers[place] ?? 0;
      const own = numbers[other] ?? 0;
      if (known === own) return;
      if ((texts[own]?.length ?? 0) < (texts[known]?.length ?? 0)) numbers[place] = own;
    },
    /** Appends the characters of a text, and returns the place of the first. */
    append: (characters: Characters, text: KnownText): number => {
      const from = size;
      size += characters.length;
      if (size > codes.length) {
        const more = Math.max(size, codes.length * 2);
        codes = grown(codes, new Uint16Array(more));
        numbers = grown(numbers, new Int32Array(more));
      }
      codes.set(characters.codes.subarray(0, characters.length), from);
      numbers.fill(texts.push(text) - 1, from, size);
      return from;
    },
  };
}

type Kept = ReturnType<typeof createKept>;

function grown<T extends Uint16Array | Int32Array>(array: T, larger: T): T {
  larger.set(array);
  return larger;
}

/** The factor of the hashes: odd, and different in each process, so that no server can guess it. */
const base = randomInt(2 ** 30) * 2 + 1;

type PieceTable = ReturnType<typeof createPieceTable>;

/** The pieces with one length. */
function createPieceTable(size: number, kept: Kept) {
  const slots = createSlots(size, kept);
  const power = powerOf(size);
  /** The hash of the piece that begins one character later. */
  const movedOn = (hash: number, left: number, added: number): number =>
    (Math.imul(hash, base) + added - Math.imul(left, power)) | 0;
  return {
    /** Adds the pieces of characters that are kept from a place on. */
    add: ({ codes, length }: Characters, from: number): void => {
      let hash = hashOf(codes, 0, size);
      for (let at = 0; at + size <= length; at++) {
        const known = slots.add(hash, codes, at, from + at);
        if (known >= 0) kept.handOver(known, from + at);
        hash = movedOn(hash, codes[at] ?? 0, codes[at + size] ?? 0);
      }
    },
    forEachRun: ({ codes, length }: Characters, visit: (run: KnownRun) => void): void => {
      let first = 0;
      let end = -2;
      let isShown = false;
      let texts: Set<KnownText> | undefined;
      const close = (): void => {
        if (isShown && texts !== undefined) visit({ first, last: end + size - 1, texts });
      };
      slots.forEachKnown(codes, 0, length, (at, place) => {
        if (at !== end + 1 || texts === undefined) {
          close();
          first = at;
          texts = new Set();
          isShown = false;
        }
        end = at;
        isShown ||= !isRepeated(codes, at, size);
        const text = kept.textAt(place);
        if (text !== undefined) texts.add(text);
      });
      close();
    },
    /** Sets to 1, in `marked`, the characters from `first` on that belong to a known piece. */
    mark: ({ codes, length }: Characters, first: number, marked: Uint8Array): void =>
      slots.forEachKnown(codes, first, length, (at) => {
        marked.fill(1, at - first, at - first + size);
      }),
  };
}

/** A hash table of pieces, each as the place where its characters are kept. */
function createSlots(size: number, kept: Kept) {
  let count = 0;
  /** For each slot, the hash of its piece and the place, from 1 on; 0 if the slot is free. */
  let hashes = new Int32Array(256);
  let places = new Int32Array(256);
  const endings = createEndings(size);

  /** The slot of a piece, or the free slot where it would go. */
  const slotOf = (hash: number, codes: Uint16Array, at: number): number => {
    const mask = places.length - 1;
    const own = kept.codes();
    let slot = spread(hash) & mask;
    for (let place = places[slot] ?? 0; place !== 0; place = places[slot] ?? 0) {
      if (hashes[slot] === hash && isSame(own, place - 1, codes, at, size)) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  };

  const fill = (slot: number, hash: number, place: number): void => {
    hashes[slot] = hash;
    places[slot] = place;
    endings.add(kept.codes(), place - 1);
  };

  const grow = (): void => {
    const old = { hashes, places };
    hashes = new Int32Array(old.hashes.length * 2);
    places = new Int32Array(old.places.length * 2);
    endings.makeRoom(places.length);
    const mask = places.length - 1;
    for (let index = 0; index < old.places.length; index++) {
      const place = old.places[index] ?? 0;
      if (place === 0) continue;
      const hash = old.hashes[index] ?? 0;
      let slot = spread(hash) & mask;
      while (places[slot] !== 0) slot = (slot + 1) & mask;
      fill(slot, hash, place);
    }
  };

  return {
    /**
     * Adds the piece at `at`, whose hash is given and whose characters are kept at `place`, and
     * returns -1; or returns the place of the same piece if it is known already.
     */
    add: (hash: number, codes: Uint16Array, at: number, place: number): number => {
      const slot = slotOf(hash, codes, at);
      const known = places[slot] ?? 0;
      if (known !== 0) return known - 1;
      fill(slot, hash, place + 1);
      count += 1;
      if (count * 3 > places.length * 2) grow();
      return -1;
    },
    /**
     * Calls `visit` for each known piece from `first` on: with where it begins, and with the place
     * where it is kept.
     */
    forEachKnown: (
      codes: Uint16Array,
      first: number,
      length: number,
      visit: (at: number, place: number) => void,
    ): void => {
      const { bits, shift, step } = endings.now();
      let ending = 0;
      for (let index = first; index < length; index++) {
        ending = (ending << step) + (codes[index] ?? 0);
        const bit = Math.imul(ending, base) >>> shift;
        if (((bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) continue;
        const at = index - size + 1;
        if (at < first) continue;
        const place = places[slotOf(hashOf(codes, at, size), codes, at)] ?? 0;
        if (place !== 0) visit(at, place - 1);
      }
    },
  };
}

/**
 * The endings of pieces: numbers in which each further character pushes the oldest out. The bit of
 * each known ending is 1. Where it is 0, as it is almost everywhere in a text, no closer look is
 * needed.
 */
function createEndings(size: number) {
  let bits = new Uint8Array(8192);
  let shift = shiftFor(bits);
  /** By how many bits a further character pushes: so many that no other character is left. */
  const step = Math.max(5, Math.ceil(32 / size));
  /** So many characters are left in an ending. */
  const width = Math.min(size, Math.ceil(32 / step));
  return {
    now: () => ({ bits, shift, step }),
    add: (codes: Uint16Array, at: number): void => {
      let ending = 0;
      for (let index = at + size - width; index < at + size; index++)
        ending = (ending << step) + (codes[index] ?? 0);
      const bit = Math.imul(ending, base) >>> shift;
      bits[bit >>> 3] = (bits[bit >>> 3] ?? 0) | (1 << (bit & 7));
    },
    /** Forgets all endings, and makes room for a number of them. */
    makeRoom: (count: number): void => {
      bits = new Uint8Array(Math.max(bits.length, count));
      shift = shiftFor(bits);
    },
  };
}

/** How far a product of 32 bits is shifted to the right to be the number of a bit. */
const shiftFor = (bits: Uint8Array): number => 32 - Math.log2(bits.length * 8);

function hashOf(codes: Uint16Array, at: number, size: number): number {
  let hash = 0;
  for (let index = at; index < at + size; index++)
    hash = (Math.imul(hash, base) + (codes[index] ?? 0)) | 0;
  return hash;
}

/** What the first character of a piece is multiplied by, once the hash has moved past it. */
function powerOf(size: number): number {
  let power = 1;
  for (let index = 0; index < size; index++) power = Math.imul(power, base);
  return power;
}

/** Mixes the high bits of a hash into the low ones, which choose the slot. */
const spread = (hash: number): number => Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d) >>> 8;

function isSame(
  one: Uint16Array,
  place: number,
  other: Uint16Array,
  at: number,
  size: number,
): boolean {
  for (let index = 0; index < size; index++)
    if (one[place + index] !== other[at + index]) return false;
  return true;
}

function isRepeated(codes: Uint16Array, at: number, size: number): boolean {
  for (let index = at + 1; index < at + size; index++) if (codes[index] !== codes[at]) return false;
  return true;
}

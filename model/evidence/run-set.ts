import { randomInt } from "node:crypto";
import type { Characters } from "./readable.ts";

/**
 * This many characters of a secret in a row show the secret. A part of a secret with this length is
 * called a run.
 */
export const runLength = 12;

export type RunSet = ReturnType<typeof createRunSet>;

/**
 * A run that was found in a text, or several runs that overlap: from the character `first` to the
 * character `last`.
 */
export interface FoundRun {
  readonly first: number;
  last: number;
  readonly replacement: string;
}

/**
 * The factor of a hash: odd, and different in each process, so that no server can provoke
 * collisions.
 */
const base = randomInt(2 ** 30) * 2 + 1;
const otherBase = randomInt(2 ** 30) * 2 + 1;

/**
 * Remembers runs and finds them in texts by two hashes of 32 bits. The search needs one pass: a
 * number that changes with each character of the text rules out most positions, so that a run is
 * hashed only at the others.
 */
export function createRunSet() {
  const runs = createRunTable();
  /**
   * The bit for the ending of each known run is 1 (`markOf`). Where the bit is 0, as it is almost
   * everywhere in a text, no closer look is needed.
   */
  const bits = new Uint8Array(65_536);
  const replacements = [""];

  /**
   * Calls `visit` for each known run in a text, with its position and the number of its
   * replacement, until `visit` returns true.
   */
  const forEachIn = (
    { codes, length }: Characters,
    visit: (at: number, number: number) => boolean,
  ): void => {
    let ending = 0;
    for (let index = 0; index < length; index++) {
      ending = shifted(ending, codes[index] ?? 0);
      const mark = markOf(ending);
      if (((bits[mark >>> 3] ?? 0) & (1 << (mark & 7))) === 0) continue;
      const at = index - runLength + 1;
      const number = at < 0 ? 0 : runs.numberAt(codes, at);
      if (number !== 0 && visit(at, number)) return;
    }
  };

  return {
    isEmpty: (): boolean => runs.size() === 0,
    /** Adds each run of a text, except runs of one repeated character. */
    add: ({ codes, length }: Characters, replacement: string): void => {
      const number = replacements.push(replacement) - 1;
      let ending = 0;
      for (let index = 0; index < length; index++) {
        ending = shifted(ending, codes[index] ?? 0);
        const at = index - runLength + 1;
        if (at < 0 || isMonotonous(codes, at)) continue;
        const mark = markOf(ending);
        bits[mark >>> 3] = (bits[mark >>> 3] ?? 0) | (1 << (mark & 7));
        runs.take(codes, at, number);
      }
    },
    has: ({ codes }: Characters, at: number): boolean =>
      runs.size() > 0 && runs.numberAt(codes, at) !== 0,
    isIn: (characters: Characters): boolean => {
      let isFound = false;
      forEachIn(characters, () => {
        isFound = true;
        return true;
      });
      return isFound;
    },
    /** The known runs in a text for which `counts` returns true; runs that overlap are joined. */
    foundIn: (
      characters: Characters,
      counts: (characters: Characters, at: number) => boolean,
    ): readonly FoundRun[] => {
      const found: FoundRun[] = [];
      forEachIn(characters, (at, number) => {
        if (!counts(characters, at)) return false;
        const last = at + runLength - 1;
        const before = found.at(-1);
        if (before !== undefined && before.last >= at) before.last = last;
        else found.push({ first: at, last, replacement: replacements[number] ?? "" });
        return false;
      });
      return found;
    },
  };
}

/** A hash table of runs, each with the number of its replacement. */
function createRunTable() {
  let size = 0;
  let slots = tableOf(1024);

  /** The slot of a run, or the free slot where it would go. */
  const slotOf = (hash: number, codes: Uint16Array, at: number): number => {
    const last = slots.number.length - 1;
    let slot = spread(hash) & last;
    let other: number | undefined;
    while (slots.number[slot] !== 0) {
      if (slots.first[slot] === hash) {
        other ??= otherHash(codes, at);
        if (slots.second[slot] === other) return slot;
      }
      slot = (slot + 1) & last;
    }
    return slot;
  };

  const grow = (): void => {
    const before = slots;
    slots = tableOf(before.number.length * 4);
    const last = slots.number.length - 1;
    before.number.forEach((number, from) => {
      if (number === 0) return;
      const hash = before.first[from] ?? 0;
      let slot = spread(hash) & last;
      while (slots.number[slot] !== 0) slot = (slot + 1) & last;
      fill(slots, slot, hash, before.second[from] ?? 0, number);
    });
  };

  return {
    size: (): number => size,
    /** The number of a run's replacement; 0 if the run is not known. */
    numberAt: (codes: Uint16Array, at: number): number =>
      slots.number[slotOf(hashOf(codes, at), codes, at)] ?? 0,
    take: (codes: Uint16Array, at: number, number: number): void => {
      const hash = hashOf(codes, at);
      const slot = slotOf(hash, codes, at);
      if (slots.number[slot] !== 0) return;
      fill(slots, slot, hash, otherHash(codes, at), number);
      size += 1;
      if (size * 3 > slots.number.length) grow();
    },
  };
}

interface Slots {
  readonly first: Int32Array;
  readonly second: Int32Array;
  /** The number of the replacement; 0 if the slot is free. */
  readonly number: Int32Array;
}

function tableOf(size: number): Slots {
  return {
    first: new Int32Array(size),
    second: new Int32Array(size),
    number: new Int32Array(size),
  };
}

function fill(slots: Slots, slot: number, first: number, second: number, number: number): void {
  slots.first[slot] = first;
  slots.second[slot] = second;
  slots.number[slot] = number;
}

/** The last characters of a text as a number: each further character pushes the oldest one out. */
const shifted = (ending: number, code: number): number => (ending << 5) + code;

/** The index of the bit for an ending: a number below 2^19. */
const markOf = (ending: number): number => Math.imul(ending, base) >>> 13;

function hashOf(codes: Uint16Array, at: number): number {
  let hash = 0;
  for (let index = at; index < at + runLength; index++)
    hash = (Math.imul(hash, base) + (codes[index] ?? 0)) | 0;
  return hash;
}

/** Mixes the high bits of a hash into the low ones, which choose the slot. */
const spread = (hash: number): number => Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d) >>> 8;

function otherHash(codes: Uint16Array, at: number): number {
  let hash = 0;
  for (let index = at; index < at + runLength; index++)
    hash = (Math.imul(hash ^ (codes[index] ?? 0), otherBase) + 0x9e_37) | 0;
  return hash;
}

/** Whether a run repeats a single character, such as the zeros of an amount or a line of dashes. */
function isMonotonous(codes: Uint16Array, at: number): boolean {
  for (let index = at + 1; index < at + runLength; index++)
    if (codes[index] !== codes[at]) return false;
  return true;
}

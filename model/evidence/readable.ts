/**
 * The characters of a text, as a reader reads them. Only the first `length` elements of the arrays
 * count, and the next text that is read overwrites the arrays.
 */
export interface Characters {
  readonly codes: Uint16Array;
  /** Where each character begins in the text. */
  readonly starts: Uint32Array;
  readonly length: number;
}

/** Arrays of up to this length are kept for the next text. */
const mostKept = 2 ** 20;

/** Reads texts, one at a time, as characters for the search of secrets. */
export function createReader() {
  let all = arraysFor(1024);
  let letters = arraysFor(1024);

  return {
    /**
     * Returns the characters of a text in small letters, without blanks, line breaks and invisible
     * characters (`all`), and only the letters and digits of ASCII (`letters`). With
     * `readsEscapes`, each escape of JSON, URLs and HTML is read as the character that it stands
     * for.
     */
    read: (
      text: string,
      readsEscapes = true,
    ): { readonly all: Characters; readonly letters: Characters } => {
      if (text.length > all.codes.length || all.codes.length > mostKept) {
        all = arraysFor(text.length * 2);
        letters = arraysFor(text.length * 2);
      }
      all.length = 0;
      letters.length = 0;
      if (readsEscapes && hasEscapes(text)) readEscaped(text, all, letters);
      else readPlain(text, all, letters);
      return { all, letters };
    },
  };
}

/** Whether a text may contain escapes of JSON, URLs or HTML. */
export const hasEscapes = (text: string): boolean => /[\\%&]/.test(text);

/** The index after the character, or after the escape, that begins at `start`. */
export function endOf(text: string, start: number): number {
  return escapeAt(text, start)?.end ?? start + 1;
}

interface Arrays {
  readonly codes: Uint16Array;
  readonly starts: Uint32Array;
  length: number;
}

function arraysFor(size: number): Arrays {
  return {
    codes: new Uint16Array(size),
    starts: new Uint32Array(size),
    length: 0,
  };
}

function readPlain(text: string, all: Arrays, letters: Arrays): void {
  let length = 0;
  let lettersLength = 0;
  for (let at = 0; at < text.length; at++) {
    const code = small[text.charCodeAt(at)] ?? 0;
    // Every character is written, but the length grows only if it is not skipped: this is faster
    // than to ask first.
    all.codes[length] = code;
    all.starts[length] = at;
    letters.codes[lettersLength] = code;
    letters.starts[lettersLength] = at;
    length += isSeen[code] ?? 0;
    lettersLength += isLetter[code] ?? 0;
  }
  all.length = length;
  letters.length = lettersLength;
}

function readEscaped(text: string, all: Arrays, letters: Arrays): void {
  let at = 0;
  while (at < text.length) {
    const escape = escapeAt(text, at);
    const code = small[escape?.code ?? text.charCodeAt(at)] ?? 0;
    if (code !== 0) append(all, code, at);
    if (isLetter[code] === 1) append(letters, code, at);
    at = escape?.end ?? at + 1;
  }
}

function append(arrays: Arrays, code: number, start: number): void {
  arrays.codes[arrays.length] = code;
  arrays.starts[arrays.length] = start;
  arrays.length += 1;
}

interface Escape {
  readonly code: number;
  readonly end: number;
}

const backslash = 0x5c;
const percent = 0x25;
const ampersand = 0x26;

/**
 * The escape that begins at a place, with the character that it stands for. An escape that was
 * escaped again, even several times, is read as a whole. Undefined if no escape begins there.
 */
function escapeAt(text: string, at: number): Escape | undefined {
  const code = text.charCodeAt(at);
  if (code === backslash) return afterBackslashes(text, at);
  if (code === percent) return escapeOfUrl(text, at);
  return code === ampersand ? escapeOfHtml(text, at) : undefined;
}

const afterBackslash = /u([\da-fA-F]{4})|x([\da-fA-F]{2})|([nrtbf])|["'/]/y;

/** Reads all backslashes together, however many there are: JSON inside JSON doubles them. */
function afterBackslashes(text: string, at: number): Escape {
  let end = at;
  while (text.charCodeAt(end) === backslash) end += 1;
  afterBackslash.lastIndex = end;
  const [whole, four, two, control] = afterBackslash.exec(text) ?? [];
  if (whole === undefined) return { code: backslash, end };
  end += whole.length;
  const digits = four ?? two;
  if (digits !== undefined) return { code: Number.parseInt(digits, 16), end };
  return { code: control === undefined ? whole.charCodeAt(0) : 0, end };
}

const ofUrl = /%(?:25)*([\da-fA-F]{2})/y;

function escapeOfUrl(text: string, at: number): Escape | undefined {
  ofUrl.lastIndex = at;
  const [whole, digits = ""] = ofUrl.exec(text) ?? [];
  return whole === undefined
    ? undefined
    : { code: Number.parseInt(digits, 16), end: at + whole.length };
}

const ofHtml = /&(?:amp;)*(?:#(\d{1,5})|#[xX]([\da-fA-F]{1,4})|(amp|lt|gt|quot|apos));/y;

const named: Readonly<Record<string, number>> = {
  amp: 0x26,
  lt: 0x3c,
  gt: 0x3e,
  quot: 0x22,
  apos: 0x27,
};

function escapeOfHtml(text: string, at: number): Escape | undefined {
  ofHtml.lastIndex = at;
  const [whole, decimal, hexadecimal, name = ""] = ofHtml.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const end = at + whole.length;
  if (decimal !== undefined) return { code: Number(decimal) & 0xff_ff, end };
  return {
    code: hexadecimal === undefined ? (named[name] ?? 0) : Number.parseInt(hexadecimal, 16),
    end,
  };
}

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
const small = Uint16Array.from({ length: 65_536 }, (_, code) =>
  code >= 0x41 && code <= 0x5a ? code + 0x20 : code,
);
for (const [from, to] of unseen) small.fill(0, from, to + 1);

/** 1 for every character that is not skipped. */
const isSeen = new Uint8Array(65_536).fill(1, 1);

/** 1 for the small letters and digits of ASCII. */
const isLetter = new Uint8Array(65_536);
isLetter.fill(1, 0x30, 0x3a);
isLetter.fill(1, 0x61, 0x7b);

/** A part of a text: from the character at `from` to the one before `to`. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/**
 * A text as it is searched for secrets: in small letters, with escapes read as what they stand for,
 * and without characters that nobody sees.
 */
export interface Reading {
  readonly text: string;
  /** Where its characters from `first` to `last` stand in the text that was read. */
  readonly placeOf: (first: number, last: number) => Place;
}

/** Blanks, controls, invisible characters and halves of surrogate pairs. */
const unseen = /[\p{C}\p{Z}\p{DI}\u2800]/u;

/** For each character, its small letter, or 0 if nobody sees it. */
const small = Uint16Array.from({ length: 65_536 }, (_, code) => {
  if (unseen.test(String.fromCharCode(code))) return 0;
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
});

/**
 * The readings of a text: with all characters that are seen, and with letters and digits alone; both
 * as it stands, too, if it has escapes.
 */
export function readingsOf(text: string): readonly Reading[] {
  const modes = /[\\%&]/.test(text) ? [false, true] : [false];
  return modes.flatMap((readsEscapes) => readAs(text, readsEscapes));
}

function readAs(text: string, readsEscapes: boolean): readonly Reading[] {
  const all = createCharacters(text.length);
  const letters = createCharacters(text.length);
  for (let at = 0; at < text.length;) {
    const written = text.charCodeAt(at);
    const isEscape = readsEscapes && (written === 0x5c || written === 0x25 || written === 0x26);
    const escape = isEscape ? escapeAt(text, at) : undefined;
    const code = small[escape?.code ?? written] ?? 0;
    all.add(code, at, code === 0 ? 0 : 1);
    letters.add(code, at, isLetter[code] ?? 0);
    at = escape?.end ?? at + 1;
  }
  const endOf = (start: number): number =>
    readsEscapes && /[\\%&]/.test(text.charAt(start)) ? escapeAt(text, start).end : start + 1;
  return [all, letters].map((characters) => characters.reading(endOf));
}

/** Characters with the places where they come from. */
function createCharacters(most: number) {
  const codes = new Uint16Array(most + 1);
  const origins = new Uint32Array(most + 1);
  let length = 0;
  return {
    /** Adds a character, or none if `count` is 0: this is faster than to ask first. */
    add: (code: number, origin: number, count: number): void => {
      codes[length] = code;
      origins[length] = origin;
      length += count;
    },
    reading: (endOf: (start: number) => number): Reading => ({
      text: Buffer.from(codes.buffer, 0, length * 2).toString("utf16le"),
      placeOf: (first, last) => ({ from: origins[first] ?? 0, to: endOf(origins[last] ?? 0) }),
    }),
  };
}

/** 1 for the small letters and digits of ASCII. */
const isLetter = Uint8Array.from({ length: 65_536 }, (_, code) =>
  Number((code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x7a)),
);

/** Escapes of JSON, URLs and HTML. One that was escaped again, even several times, is one escape. */
const escape =
  /\\+(?:u(?<four>[\da-f]{4})|x(?<two>[\da-f]{2})|(?<control>[nrtbf])|(?<sign>["'/]))?|%(?:25)*(?<byte>[\da-f]{2})?|&(?:amp;)*(?:#(?<decimal>\d+);?|#x(?<hex>[\da-f]+);?|(?<name>[a-z]{2,16});|(?<older>amp|lt|gt|quot))?/iy;

/** What begins with a backslash, a percent sign or an ampersand: the escape there, or the sign itself. */
function escapeAt(text: string, at: number): { readonly code: number; readonly end: number } {
  escape.lastIndex = at;
  const { 0: whole, groups = {} } = escape.exec(text) as RegExpExecArray;
  const { four, two, control, sign, byte, decimal, hex, name, older } = groups;
  const end = at + whole.length;
  const digits = four ?? two ?? byte ?? hex;
  if (digits !== undefined || decimal !== undefined) {
    const code = decimal === undefined ? Number.parseInt(digits ?? "", 16) : Number(decimal);
    return { code: code <= 0xff_ff ? code : 0, end };
  }
  if (control !== undefined) return { code: 0, end };
  const named = sign ?? signNamed(name ?? older?.toLowerCase());
  if (named !== undefined) return { code: named.charCodeAt(0), end };
  return { code: text.charCodeAt(at), end: name === undefined ? end : at + 1 };
}

/** The names that HTML has for the punctuation of ASCII. */
const names = new Map(
  (
    "! excl, \" quot QUOT, # num, $ dollar, % percnt, & amp AMP, ' apos, ( lpar, ) rpar, " +
    "* ast midast, + plus, , comma, . period, / sol, : colon, ; semi, < lt LT, = equals, > gt GT, " +
    "? quest, @ commat, [ lsqb lbrack, \\ bsol, ] rsqb rbrack, ^ Hat, _ lowbar UnderBar, " +
    "` grave DiacriticalGrave, { lcub lbrace, | verbar vert VerticalLine, } rcub rbrace"
  )
    .split(/, (?=\S )/)
    .flatMap((row) => {
      const [character = "", ...all] = row.split(" ");
      return all.map((name) => [name, character] as const);
    }),
);

const signNamed = (name: string | undefined): string | undefined =>
  name === undefined ? undefined : names.get(name);

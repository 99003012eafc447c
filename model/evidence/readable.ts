import {
  append,
  charactersFor,
  isLetter,
  isSeen,
  small,
  type Characters,
  type WritableCharacters,
} from "./characters.ts";
import {
  base64Parts,
  decodeBase64,
  decodeHex,
  hexParts,
  placeInBase64,
  placeInHex,
} from "./decoding.ts";

/** Arrays of up to this length are kept for the next text. */
const mostKept = 2 ** 18;

/** A part of a text: from the character at `from` to the one before `to`. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/**
 * Takes a reading. It lasts until the visit ends, as the next reading overwrites it. `placeOf`
 * returns where its characters from `first` to `last` stand in the text.
 */
type Visit = (characters: Characters, placeOf: (first: number, last: number) => Place) => void;

/**
 * Reads texts, one at a time, as characters for the search of secrets. A text has several readings:
 * in small letters without blanks and invisible characters; the letters and digits of ASCII alone;
 * both again with each escape of JSON, URLs and HTML read as what it stands for; and the bytes for
 * which its parts in hexadecimal digits and in base64 stand.
 */
export function createReader() {
  let all = charactersFor(1024);
  let letters = charactersFor(1024);
  let decoded = charactersFor(1024);
  /** The characters of `all` as they stand in the text, with capitals. */
  let exact = new Uint16Array(1024);

  const read = (text: string, readsEscapes: boolean): void => {
    if (text.length > all.codes.length || all.codes.length > mostKept) {
      const size = Math.max(1024, text.length);
      [all, letters, decoded] = [charactersFor(size), charactersFor(size), charactersFor(size)];
      exact = new Uint16Array(size);
    }
    if (readsEscapes) readEscaped(text, all, letters, exact);
    else readPlain(text, all, letters, exact);
  };

  /** Visits the readings of a text as it stands and without its escapes. */
  const visitPlain = (text: string, visit: Visit): void => {
    for (const readsEscapes of hasEscapes(text) ? [false, true] : [false]) {
      read(text, readsEscapes);
      const endOf = (start: number): number =>
        (readsEscapes ? escapeAt(text, start)?.end : undefined) ?? start + 1;
      for (const characters of letters.length < all.length ? [all, letters] : [all])
        visit(characters, (first, last) => ({
          from: characters.origins[first] ?? 0,
          to: endOf(characters.origins[last] ?? 0),
        }));
    }
  };

  return {
    visitPlain,
    /** Visits every reading of a text. */
    visitAll: (text: string, visit: Visit): void => {
      let endOf = (start: number): number => start + 1;
      if (hasEscapes(text)) endOf = (start) => escapeAt(text, start)?.end ?? start + 1;
      visitPlain(text, visit);
      const placed = (from: Characters, [first, last]: readonly [number, number]): Place => ({
        from: from.origins[first] ?? 0,
        to: endOf(from.origins[last] ?? 0),
      });
      const ofHex = hexParts(letters);
      for (const shift of ofHex.length === 0 ? [] : [0, 1]) {
        decodeHex(decoded, letters, ofHex, shift);
        visit(decoded, (...range) => placed(letters, placeInHex(decoded, ...range)));
      }
      const ofBase64 = base64Parts(exact, all.length);
      for (const shift of ofBase64.length === 0 ? [] : [0, 1, 2, 3]) {
        decodeBase64(decoded, exact, ofBase64, shift);
        visit(decoded, (...range) => placed(all, placeInBase64(decoded, ...range)));
      }
    },
    /** How many characters of a text are seen. */
    lengthOf: (text: string): number => {
      read(text, false);
      return all.length;
    },
  };
}

/** Whether a text may contain escapes of JSON, URLs or HTML. */
const hasEscapes = (text: string): boolean => /[\\%&]/.test(text);

function readPlain(
  text: string,
  all: WritableCharacters,
  letters: WritableCharacters,
  exact: Uint16Array,
): void {
  let length = 0;
  let lettersLength = 0;
  for (let at = 0; at < text.length; at++) {
    const written = text.charCodeAt(at);
    const code = small[written] ?? 0;
    // Every character is written, but the length grows only if it is not skipped: this is faster
    // than to ask first.
    exact[length] = written;
    all.codes[length] = code;
    all.origins[length] = at;
    letters.codes[lettersLength] = code;
    letters.origins[lettersLength] = at;
    length += isSeen[code] ?? 0;
    lettersLength += isLetter[code] ?? 0;
  }
  all.length = length;
  letters.length = lettersLength;
}

function readEscaped(
  text: string,
  all: WritableCharacters,
  letters: WritableCharacters,
  exact: Uint16Array,
): void {
  all.length = 0;
  letters.length = 0;
  let at = 0;
  while (at < text.length) {
    const escape = escapeAt(text, at);
    const written = escape?.code ?? text.charCodeAt(at);
    const end = escape?.end ?? at + 1;
    const code = small[written] ?? 0;
    if (code !== 0) {
      exact[all.length] = written;
      append(all, code, at);
    }
    if (isLetter[code] === 1) append(letters, code, at);
    at = end;
  }
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

const twoDigits = /[\da-fA-F]{2}/y;

/** A percent sign that was escaped again is `%25`, even several times. */
function escapeOfUrl(text: string, at: number): Escape | undefined {
  let next = at + 1;
  while (text.startsWith("25", next)) next += 2;
  twoDigits.lastIndex = next;
  const [digits] = twoDigits.exec(text) ?? [];
  if (digits !== undefined) return { code: Number.parseInt(digits, 16), end: next + 2 };
  return next === at + 1 ? undefined : { code: percent, end: next };
}

const numbered = /#(?:(\d+)|[xX]([\da-fA-F]+));?/y;
const nameOfHtml = /([A-Za-z]{2,16});/y;
/** The names that HTML reads without a semicolon too. */
const olderName = /amp|lt|gt|quot|AMP|LT|GT|QUOT/y;

/** The names that HTML has for the punctuation of ASCII. */
const named = namesOf(
  "! excl, \" quot QUOT, # num, $ dollar, % percnt, & amp AMP, ' apos, ( lpar, ) rpar, " +
    "* ast midast, + plus, , comma, . period, / sol, : colon, ; semi, < lt LT, = equals, > gt GT, " +
    "? quest, @ commat, [ lsqb lbrack, \\ bsol, ] rsqb rbrack, ^ Hat, _ lowbar UnderBar, " +
    "` grave DiacriticalGrave, { lcub lbrace, | verbar vert VerticalLine, } rcub rbrace",
);

function namesOf(list: string): ReadonlyMap<string, number> {
  return new Map(
    list.split(/, (?=\S )/).flatMap((row) => {
      const [character = "", ...names] = row.split(" ");
      return names.map((name) => [name, character.charCodeAt(0)] as const);
    }),
  );
}

/** An ampersand that was escaped again is `&amp;`, even several times. */
function escapeOfHtml(text: string, at: number): Escape | undefined {
  let next = at + 1;
  while (text.startsWith("amp;", next)) next += 4;
  numbered.lastIndex = next;
  const [number = "", decimal, hexadecimal = ""] = numbered.exec(text) ?? [];
  if (number !== "") {
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
    return { code: code <= 0xff_ff ? code : 0, end: next + number.length };
  }
  nameOfHtml.lastIndex = next;
  const [ended = "", name = ""] = nameOfHtml.exec(text) ?? [];
  const meant = named.get(name);
  if (meant !== undefined) return { code: meant, end: next + ended.length };
  olderName.lastIndex = next;
  const [older = ""] = olderName.exec(text) ?? [];
  if (older !== "") return { code: named.get(older) ?? 0, end: next + older.length };
  return next === at + 1 ? undefined : { code: ampersand, end: next };
}

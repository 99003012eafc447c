/** A part of a text: from the character at `from` to the one before `to`. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/**
 * A text after some rounds of decoding, and at last as it is searched for secrets: in small letters,
 * with escapes read as what they stand for, and without characters that nobody sees.
 */
interface Reading {
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

const whole = (text: string): Reading => ({
  text,
  placeOf: (first, last) => ({ from: first, to: last + 1 }),
});

/**
 * The readings of a text: with all characters that are seen, and with letters and digits alone; both
 * as it stands, too, if it has escapes.
 */
export function readingsOf(text: string): readonly Reading[] {
  const layer = whole(text);
  return [layer, ...unescaped(layer)].flatMap(read);
}

/** Two codings, in a text of JSON. */
const mostRounds = 3;

/** As `readingsOf`, and so for what the text holds in escapes, base64 and hex, one in the other. */
export function decodedReadingsOf(text: string): readonly Reading[] {
  const readings: Reading[] = [];
  let layers: readonly Reading[] = [whole(text)];
  for (let round = 0; round <= mostRounds && layers.length > 0; round += 1) {
    readings.push(...layers.flatMap(read));
    layers = layers.flatMap((layer) => {
      const plain = unescaped(layer);
      // Escapes are signs of base64, too, so that what they stand for is read first.
      return plain.length > 0 ? plain : unpacked(layer);
    });
  }
  return readings;
}

/** The text with its escapes read as what they stand for. None if it has no escapes. */
function unescaped({ text, placeOf }: Reading): readonly Reading[] {
  if (!/[\\%&]/.test(text)) return [];
  const codes = new Uint16Array(text.length);
  const origins = new Uint32Array(text.length + 1);
  let length = 0;
  let isChanged = false;
  for (let at = 0; at < text.length; length += 1) {
    const written = text.charCodeAt(at);
    const isEscape = written === 0x5c || written === 0x25 || written === 0x26;
    const { code, end } = isEscape ? escapeAt(text, at) : { code: written, end: at + 1 };
    isChanged ||= end > at + 1;
    codes[length] = code;
    origins[length] = at;
    at = end;
  }
  origins[length] = text.length;
  if (!isChanged) return [];
  const placeIn: Reading["placeOf"] = (first, last) =>
    placeOf(origins[first] ?? 0, (origins[last + 1] ?? 0) - 1);
  return [{ text: textOf(codes, length), placeOf: placeIn }];
}

/**
 * Base64 of text in ASCII, wherever it begins: in each four characters, the first two come from
 * half of the alphabet, and so does the third.
 */
const inBase64 =
  /(?:[I-Za-f][C-HS-Xi-nyz0-3][ABEFIJMNQRUVYZcdghklopstwx014589][\w+/-]){3,}[\w+/-]{0,3}/g;

/** Hex of text in ASCII. */
const inHex = /(?:[2-7][\da-f]){8,}/gi;

/** What stands in base64 and hex in a text. */
function unpacked(layer: Reading): readonly Reading[] {
  return [
    ...Array.from(layer.text.matchAll(inBase64), (run) => bytesIn(layer, run, "base64", 6)),
    ...Array.from(layer.text.matchAll(inHex), (run) => bytesIn(layer, run, "hex", 4)),
  ];
}

/** The text in a run of base64 or hex, of which each character holds so many bits. */
function bytesIn(
  { placeOf }: Reading,
  { 0: run, index }: RegExpExecArray,
  coding: "base64" | "hex",
  bits: number,
): Reading {
  return {
    text: Buffer.from(run, coding).toString("latin1"),
    placeOf: (first, last) =>
      placeOf(
        index + Math.floor((first * 8) / bits),
        index + Math.min(Math.ceil(((last + 1) * 8) / bits), run.length) - 1,
      ),
  };
}

const textOf = (codes: Uint16Array, length = codes.length): string =>
  Buffer.from(codes.buffer, 0, length * 2).toString("utf16le");

function read({ text, placeOf }: Reading): readonly Reading[] {
  const all = createCharacters(text.length, placeOf);
  const letters = createCharacters(text.length, placeOf);
  for (let at = 0; at < text.length; at += 1) {
    const code = small[text.charCodeAt(at)] ?? 0;
    all.add(code, at, code === 0 ? 0 : 1);
    letters.add(code, at, isLetter[code] ?? 0);
  }
  return [all.reading(), letters.reading()];
}

/** Characters with the places where they come from. */
function createCharacters(most: number, placeOf: Reading["placeOf"]) {
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
    reading: (): Reading => ({
      text: textOf(codes, length),
      placeOf: (first, last) => placeOf(origins[first] ?? 0, origins[last] ?? 0),
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
function escapeAt(text: string, at: number) {
  // A quote in JSON in JSON, by far the most frequent escape.
  if (text.startsWith('\\"', at)) return { code: 0x22, end: at + 2 };
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
  const named = sign ?? names.get(name ?? older?.toLowerCase() ?? "");
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

import { isObject, type Json } from "../spec/json.ts";

/** A valid JSON string that careless code treats wrongly. */
export interface OddText {
  readonly id: string;
  readonly text: string;
  /**
   * Where a server may change the text, so that the text in the response is not judged. Absent:
   * nowhere.
   */
  readonly fragile?: "anywhere" | "in names";
  /** The text is also sent in all members of a body at once. */
  readonly inAllMembers?: true;
}

/** The odd texts, the most revealing first. A server may refuse any of them. */
export const oddTexts: readonly OddText[] = [
  { id: "a quote as in SQL", text: "Trade'; -- Co" },
  { id: "an escaped zero byte", text: "Trade\u0000Co", fragile: "anywhere", inAllMembers: true },
  { id: "half a character", text: "Trade \ud83d Co", fragile: "anywhere", inAllMembers: true },
  { id: "an emoji outside the basic plane", text: "Trade 🏦 Co", inAllMembers: true },
  { id: "Latin letters with marks", text: "Müller Ação Café", inAllMembers: true },
  {
    id: "what programs read as code",
    text: `Trader's "100%" %s \\ <script>&\${x}{{x}}; --`,
    inAllMembers: true,
  },
  { id: "signs of a URL", text: "Trade+Co %2B%20&amp;=?#", inAllMembers: true },
  { id: "2000 characters", text: "Trading Co ".repeat(182).slice(0, 2000) },
  { id: "blanks alone", text: "   ", fragile: "anywhere" },
  { id: "no character", text: "", fragile: "anywhere" },
  { id: "a backslash and double quotes", text: 'Trade \\ "and" Co' },
  { id: "a line break and a tab", text: "Trade\n\tCo", fragile: "anywhere" },
  { id: "Chinese", text: "贸易公司" },
  { id: "an apostrophe", text: "Trader's Co" },
  { id: "angle brackets", text: "Trade <b>and</b> Co" },
  { id: "a percent sign", text: "Trade 100% Co" },
  { id: "Cyrillic", text: "Торговый дом" },
  { id: "86 characters of three bytes", text: "贸易".repeat(43) },
  { id: "64 characters of four bytes", text: "🏦💱".repeat(32) },
  { id: "256 characters", text: "Trading Co ".repeat(24).slice(0, 256) },
  { id: "255 characters of three bytes", text: "贸易公".repeat(85) },
  { id: "an ampersand", text: "Trade & Co" },
  { id: "combining accents", text: "Cafe\u0301 A\u0303o", fragile: "in names" },
  { id: "Arabic, right to left", text: "شركة التجارة" },
  { id: "a family of joined emoji", text: "Trade 👩‍👩‍👧 Co" },
  { id: "a dollar placeholder", text: "Trade ${name} Co" },
  { id: "a percent placeholder", text: "Trade %s %n Co" },
  { id: "a brace placeholder", text: "Trade {{name}} Co" },
  { id: "a percent escape", text: "Trade%20%00Co" },
  { id: "a path", text: "../../trade" },
  { id: "a formula", text: "=1+1" },
  { id: "JSON in a text", text: '{"trade":["co"]}' },
  { id: "spaces at both ends", text: "  Trade Co  ", fragile: "in names" },
  { id: "the word null", text: "null" },
  { id: "the name of a prototype", text: "__proto__" },
  { id: "digits alone", text: "12345" },
  { id: "an escaped control character", text: "Trade\u0001Co", fragile: "anywhere" },
  { id: "a line separator", text: "Trade\u2028Co", fragile: "anywhere" },
  { id: "a noncharacter", text: "Trade\uffffCo", fragile: "anywhere" },
  { id: "a byte order mark", text: "\ufeffTrade Co", fragile: "anywhere" },
  { id: "a zero width space", text: "Trade\u200bCo", fragile: "anywhere" },
  { id: "300 characters", text: "Trading Co ".repeat(28).slice(0, 300) },
  { id: "70000 characters", text: "Trading Co ".repeat(6364).slice(0, 70_000) },
];

/** A way to write a JSON value that differs from what `JSON.stringify` writes. */
interface JsonSpelling {
  readonly id: string;
  readonly textOf: (body: Json) => string;
}

function like(spelling: Spelling) {
  return (body: Json): string => spelled(body, spelling);
}

/** Ways to write the same JSON value (RFC 8259), the most revealing first. */
export const jsonSpellings: readonly JsonSpelling[] = [
  { id: "members in reverse order", textOf: like({ order: (members) => members.toReversed() }) },
  { id: "white space everywhere", textOf: (body) => ` ${spelled(body, { gap: "\r\n\t " })} \n` },
  { id: "escapes for every character", textOf: like({ string: escapes }) },
  { id: "numbers with exponents", textOf: like({ number: (x) => x.toExponential() }) },
  { id: "numbers with a trailing zero", textOf: like({ number: (x) => withTrailingZeros(x, 1) }) },
  { id: "a member twice", textOf: withMemberTwice },
  {
    id: "numbers with a capital E",
    textOf: like({ number: (x) => x.toExponential().toUpperCase() }),
  },
  { id: "numbers with a negative exponent", textOf: like({ number: scaled }) },
  {
    id: "numbers with thirty zeros at the end",
    textOf: like({ number: (x) => withTrailingZeros(x, 30) }),
  },
  { id: "escapes with capital digits", textOf: like({ string: (text) => escapes(text, true) }) },
  { id: "line feeds alone", textOf: like({ gap: "\n" }) },
  { id: "tabs alone", textOf: like({ gap: "\t" }) },
  { id: "a thousand spaces in front", textOf: (body) => " ".repeat(1000) + JSON.stringify(body) },
];

/** The body with one member twice, which RFC 8259, 4, allows. Both members have the same value. */
function withMemberTwice(body: Json): string {
  const text = JSON.stringify(body);
  const [last] = isObject(body) ? Object.entries(body).slice(-1) : [];
  return last === undefined
    ? text
    : `${text.slice(0, -1)},${JSON.stringify(last[0])}:${JSON.stringify(last[1])}}`;
}

interface Spelling {
  readonly order?: (
    members: readonly (readonly [string, Json])[],
  ) => readonly (readonly [string, Json])[];
  readonly string?: (text: string) => string;
  readonly number?: (x: number) => string;
  /** White space around every token of the JSON text. */
  readonly gap?: string;
}

function spelled(value: Json, spelling: Spelling): string {
  const {
    order = (members) => members,
    string = (text) => JSON.stringify(text),
    number = String,
    gap = "",
  } = spelling;
  const listed = (parts: readonly string[]): string => gap + parts.join(`${gap},${gap}`) + gap;
  if (typeof value === "string") return string(value);
  if (typeof value === "number") return number(value);
  if (Array.isArray(value)) return `[${listed(value.map((one: Json) => spelled(one, spelling)))}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = order(Object.entries(value)).map(
    ([name, one]) => `${string(name)}${gap}:${gap}${spelled(one, spelling)}`,
  );
  return `{${listed(members)}}`;
}

function escapes(text: string, areCapital = false): string {
  const digitsOf = (code: number): string => {
    const digits = code.toString(16).padStart(4, "0");
    return areCapital ? digits.toUpperCase() : digits;
  };
  return `"${Array.from({ length: text.length }, (_, at) => `\\u${digitsOf(text.charCodeAt(at))}`).join("")}"`;
}

/** A number as an integer with the exponent -6. Unchanged if that is not exact. */
function scaled(x: number): string {
  const text = String(x);
  const [whole = "", decimals = ""] = text.split(".");
  return text.includes("e") || decimals.length > 6
    ? text
    : `${BigInt(whole + decimals.padEnd(6, "0"))}e-6`;
}

function withTrailingZeros(x: number, zeros: number): string {
  const text = String(x);
  if (text.includes("e")) return text;
  return text + (text.includes(".") ? "" : ".") + "0".repeat(zeros);
}

/** A request body that is not well-formed JSON in UTF-8 (RFC 8259). */
export interface MalformedText {
  readonly id: string;
  readonly text: string | Uint8Array;
  /**
   * `encoding`: the text is well-formed except for bytes that are not UTF-8, which some servers
   * replace before they parse.
   */
  readonly kind: "syntax" | "encoding";
}

/**
 * Copies of a valid object, each with one mistake in its text. Those that parsers accept most often
 * come first.
 */
export function malformedTextsOf(valid: Json): readonly MalformedText[] {
  const text = JSON.stringify(valid);
  const inner = text.slice(1, -1);
  const more = (written: string): string => `{${inner},"more":${written}}`;
  const nested = (written: string): string => more(`{"inner":[${written}]}`);
  const syntax: Readonly<Record<string, string>> = {
    "only its first half": text.slice(0, Math.ceil(text.length / 2)),
    NaN: withScalar(valid, "NaN"),
    "a trailing comma": `{${inner},}`,
    "NaN in an unknown member": more("NaN"),
    "Infinity in a nested member": nested("Infinity"),
    "two texts in a row": text + text,
    "a comment": `/* body */${text}`,
    "single quotes": text.replaceAll('"', "'"),
    "a number with a leading zero": withScalar(valid, "0123"),
    "a name without quotes": text.replace(/"(\w+)":/, "$1:"),
    "a form in place of JSON": formOf(valid),
    "a line break inside a text": more('"a\nb"'),
    "an unknown escape": more('"\\x41"'),
    "no closing brace": text.slice(0, -1),
    "no comma between members": `{${inner} "more":1}`,
    "a number with a plus sign in an unknown member": more("+123"),
    "a number in hexadecimal in an unknown member": more("0x1F"),
    "a literal in capitals": more("TRUE"),
    "the literals of Python": more("[True,None]"),
    "the word undefined": more("undefined"),
    "a comment after a hash": `${text.slice(0, -1)}\n# body\n}`,
    "a leading zero in a nested member": nested("0123"),
    "-Infinity in an unknown member": more("-Infinity"),
    "a number without digits before the point in an unknown member": more(".5"),
    "a closing brace too many": `${text}}`,
    "a leading comma": `{,${inner}}`,
    "a name without value": more(""),
    "no colon": text.replace('":', '" '),
    "a number without digits after the point": withScalar(valid, "12."),
    Infinity: withScalar(valid, "Infinity"),
    "-Infinity": withScalar(valid, "-Infinity"),
    "a number with a plus sign": withScalar(valid, "+123"),
    "a number without digits before the point": withScalar(valid, ".5"),
    "NaN in a nested member": nested("NaN"),
    "Infinity in an unknown member": more("Infinity"),
    "-Infinity in a nested member": nested("-Infinity"),
    "a number without digits before the point in a nested member": nested(".5"),
    "a leading zero in an unknown member": more("0123"),
    "a bare word in place of JSON": "body",
    "XML in place of JSON": "<body/>",
  };
  return [
    ...Object.entries(syntax).map(([id, changed]) => ({
      id,
      text: changed,
      kind: "syntax" as const,
    })),
    { id: "a byte of latin-1", text: withByte(`{${inner},"more":"`, 0xe9, `"}`), kind: "encoding" },
    {
      id: "a character cut in two",
      text: withByte(`{${inner},"more":"`, 0xc3, `"}`),
      kind: "encoding",
    },
  ];
}

/**
 * The text of the object, with `written` in place of its first number or, without a number, of its
 * first value.
 */
function withScalar(valid: Json, written: string): string {
  const members = isObject(valid) ? Object.entries(valid) : [];
  const number = members.findIndex(([, value]) => typeof value === "number");
  const texts = members.map(([name, value], index) => {
    const replaced = index === Math.max(0, number);
    return `${JSON.stringify(name)}:${replaced ? written : JSON.stringify(value)}`;
  });
  return `{${texts.join(",")}}`;
}

/** The members of the object as the body of an HTML form (application/x-www-form-urlencoded). */
function formOf(valid: Json): string {
  return Object.entries(isObject(valid) ? valid : {})
    .map(
      ([name, value]) =>
        `${name}=${encodeURIComponent((typeof value === "string" ? value : JSON.stringify(value)).toWellFormed())}`,
    )
    .join("&");
}

function withByte(before: string, byte: number, after: string): Uint8Array {
  return Uint8Array.from([
    ...new TextEncoder().encode(before),
    byte,
    ...new TextEncoder().encode(after),
  ]);
}

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
  { id: "combining accents", text: "Cafe\u0301 A\u0303o", fragile: "in names" },
  { id: "spaces at both ends", text: "  Trade Co  ", fragile: "in names" },
  {
    id: "what programs substitute",
    text: String.raw`Trade $& $$ $1 \1 {0} %1$s Co`,
    inAllMembers: true,
  },
];

/** A way to write a JSON value that differs from what `JSON.stringify` writes. */
interface JsonSpelling {
  readonly id: string;
  readonly spell: (body: Json) => string;
}

function like(spelling: Spelling) {
  return (body: Json): string => spelled(body, spelling);
}

/** Ways to write the same JSON value (RFC 8259), the most revealing first. */
export const jsonSpellings: readonly JsonSpelling[] = [
  { id: "members in reverse order", spell: like({ order: (members) => members.toReversed() }) },
  { id: "white space everywhere", spell: (body) => ` ${spelled(body, { gap: "\r\n\t " })} \n` },
  { id: "escapes for every character", spell: like({ string: escapes }) },
  { id: "numbers with exponents", spell: like({ number: (x) => x.toExponential() }) },
  { id: "numbers with a trailing zero", spell: like({ number: withTrailingZero }) },
  { id: "a member twice", spell: withMemberTwice },
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

function escapes(text: string): string {
  const codes = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return `"${codes.map((code) => `\\u${code.toString(16).padStart(4, "0")}`).join("")}"`;
}

function withTrailingZero(x: number): string {
  const text = String(x);
  if (text.includes("e")) return text;
  return `${text}${text.includes(".") ? "" : "."}0`;
}

import { isObject, type Json } from "../spec/contract.ts";

/** A way to write JSON that differs from `JSON.stringify`. */
export interface JsonSpelling {
  readonly id: string;
  readonly textOf: (body: Json) => string;
}

const like =
  (spelling: Spelling) =>
  (body: Json): string =>
    spelled(body, spelling);

/** Ways to write the same value (RFC 8259); those that most likely show a fault come first. */
export const jsonSpellings: readonly JsonSpelling[] = [
  { id: "members in reverse order", textOf: like({ order: (members) => members.toReversed() }) },
  { id: "white space everywhere", textOf: (body) => ` ${spelled(body, { gap: "\r\n\t " })} \n` },
  { id: "escapes for every character", textOf: like({ string: escapes }) },
  { id: "numbers with exponents", textOf: like({ number: (x) => x.toExponential() }) },
  { id: "numbers with a trailing zero", textOf: like({ number: (x) => withTrailingZeros(x, 1) }) },
  { id: "a member twice", textOf: withMemberTwice },
  { id: "numbers with a capital E", textOf: like({ number: (x) => x.toExponential().toUpperCase() }) },
  { id: "numbers with a negative exponent", textOf: like({ number: scaled }) },
  { id: "numbers with thirty zeros at the end", textOf: like({ number: (x) => withTrailingZeros(x, 30) }) },
  { id: "escapes with capital digits", textOf: like({ string: (text) => escapes(text, true) }) },
  { id: "line feeds alone", textOf: like({ gap: "\n" }) },
  { id: "tabs alone", textOf: like({ gap: "\t" }) },
  { id: "a thousand spaces in front", textOf: (body) => " ".repeat(1000) + JSON.stringify(body) },
];

/** RFC 8259, 4, allows a name twice in an object. Both members have the same value. */
function withMemberTwice(body: Json): string {
  const text = JSON.stringify(body);
  const [last] = isObject(body) ? Object.entries(body).slice(-1) : [];
  return last === undefined ? text : `${text.slice(0, -1)},${JSON.stringify(last[0])}:${JSON.stringify(last[1])}}`;
}

interface Spelling {
  readonly order?: (members: readonly (readonly [string, Json])[]) => readonly (readonly [string, Json])[];
  readonly string?: (text: string) => string;
  readonly number?: (x: number) => string;
  /** White space around every token. */
  readonly gap?: string;
}

function spelled(value: Json, spelling: Spelling): string {
  const { order = (members) => members, string = (text) => JSON.stringify(text), number = String, gap = "" } = spelling;
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

/** As an integer with the exponent -6; unchanged if that is not exact. */
function scaled(x: number): string {
  const text = String(x);
  const [whole = "", decimals = ""] = text.split(".");
  return text.includes("e") || decimals.length > 6 ? text : `${BigInt(whole + decimals.padEnd(6, "0"))}e-6`;
}

function withTrailingZeros(x: number, zeros: number): string {
  const text = String(x);
  if (text.includes("e")) return text;
  return text + (text.includes(".") ? "" : ".") + "0".repeat(zeros);
}

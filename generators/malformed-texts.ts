import type { Json } from "../spec/contract.ts";
import { isObject } from "./pointer.ts";

/** A body that is not well-formed JSON in UTF-8 (RFC 8259). */
export interface MalformedText {
  readonly id: string;
  readonly text: string | Uint8Array;
  /** `encoding`: well-formed except for bytes that are not UTF-8, which some servers replace before they parse. */
  readonly kind: "syntax" | "encoding";
  /** One of those that together fail parsers in every different way. */
  readonly likely: boolean;
}

/** The text of a valid body, which is an object with at least one member, with one mistake in each copy. */
export function malformedTextsOf(valid: Json): readonly MalformedText[] {
  const text = JSON.stringify(valid);
  const inner = text.slice(1, -1);
  const syntax = (id: string, changed: string): MalformedText => ({ id, text: changed, kind: "syntax", likely: false });
  const likely = (id: string, changed: string): MalformedText => ({ ...syntax(id, changed), likely: true });
  return [
    syntax("no closing brace", text.slice(0, -1)),
    likely("only its first half", text.slice(0, Math.ceil(text.length / 2))),
    syntax("a closing brace too many", `${text}}`),
    likely("a trailing comma", `{${inner},}`),
    syntax("a leading comma", `{,${inner}}`),
    syntax("single quotes", text.replaceAll('"', "'")),
    syntax("a name without quotes", text.replace(/"(\w+)":/, "$1:")),
    syntax("a name without value", `{${inner},"more":}`),
    syntax("no colon", text.replace('":', '" ')),
    syntax("no comma between members", `{${inner} "more":1}`),
    syntax("a line break inside a text", `{${inner},"more":"a\nb"}`),
    syntax("a number without digits after the point", withScalar(valid, "12.")),
    likely("NaN", withScalar(valid, "NaN")),
    syntax("Infinity", withScalar(valid, "Infinity")),
    syntax("a number with a leading zero", withScalar(valid, "0123")),
    syntax("a number with a plus sign", withScalar(valid, "+123")),
    syntax("a number without digits before the point", withScalar(valid, ".5")),
    likely("an unknown escape", `{${inner},"more":"\\x41"}`),
    syntax("a comment", `/* body */${text}`),
    likely("two texts in a row", text + text),
    likely("a bare word in place of JSON", "body"),
    syntax("a form in place of JSON", formOf(valid)),
    syntax("XML in place of JSON", "<body/>"),
    { id: "a byte of latin-1", text: withByte(`{${inner},"more":"`, 0xe9, `"}`), kind: "encoding", likely: true },
    { id: "a character cut in two", text: withByte(`{${inner},"more":"`, 0xc3, `"}`), kind: "encoding", likely: false },
  ];
}

/** The text of the object, with its first number, or else its first value, replaced by the given text. */
function withScalar(valid: Json, written: string): string {
  const members = isObject(valid) ? Object.entries(valid) : [];
  const number = members.findIndex(([, value]) => typeof value === "number");
  const texts = members.map(([name, value], index) => {
    const replaced = index === Math.max(0, number);
    return `${JSON.stringify(name)}:${replaced ? written : JSON.stringify(value)}`;
  });
  return `{${texts.join(",")}}`;
}

/** The members as an HTML form would send them. */
const formOf = (valid: Json): string =>
  Object.entries(isObject(valid) ? valid : {})
    .map(
      ([name, value]) =>
        `${name}=${encodeURIComponent((typeof value === "string" ? value : JSON.stringify(value)).toWellFormed())}`,
    )
    .join("&");

const withByte = (before: string, byte: number, after: string): Uint8Array =>
  Uint8Array.from([...new TextEncoder().encode(before), byte, ...new TextEncoder().encode(after)]);

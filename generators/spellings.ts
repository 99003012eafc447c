import type { Json } from "../spec/contract.ts";
import { isObject } from "./pointer.ts";

/** Other JSON texts of the same value (RFC 8259), without any that equals that of `JSON.stringify`. */
export function spelledOtherwise(body: Json): readonly { readonly id: string; readonly text: string }[] {
  const spellings = [
    { id: "members in reverse order", text: spelled(body, { order: (members) => members.toReversed() }) },
    { id: "white space everywhere", text: ` ${spelled(body, { gap: "\r\n\t " })} \n` },
    { id: "escapes for every character", text: spelled(body, { string: escapes }) },
    { id: "numbers with exponents", text: spelled(body, { number: (x) => x.toExponential() }) },
    { id: "numbers with a trailing zero", text: spelled(body, { number: withTrailingZero }) },
  ];
  return spellings.filter(({ text }) => text !== JSON.stringify(body));
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

const escapes = (text: string): string =>
  `"${Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`).join("")}"`;

const withTrailingZero = (x: number): string => {
  const text = String(x);
  if (text.includes("e")) return text;
  return text.includes(".") ? `${text}0` : `${text}.0`;
};

import { isObject, type Json } from "../spec/contract.ts";

/** A request body that is not well-formed JSON in UTF-8 (RFC 8259). */
export interface MalformedText {
  readonly id: string;
  readonly text: string | Uint8Array;
  /** `encoding`: well-formed apart from bytes that are not UTF-8. Some servers replace such bytes before they parse. */
  readonly kind: "syntax" | "encoding";
}

/**
 * Copies of a valid body with one mistake each, those that parsers accept most often first. The body must be an object
 * with at least one member.
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
    ...Object.entries(syntax).map(([id, changed]) => ({ id, text: changed, kind: "syntax" as const })),
    { id: "a byte of latin-1", text: withByte(`{${inner},"more":"`, 0xe9, `"}`), kind: "encoding" },
    { id: "a character cut in two", text: withByte(`{${inner},"more":"`, 0xc3, `"}`), kind: "encoding" },
  ];
}

/** The text of the object with its first number replaced by `written`; without a number, its first value. */
function withScalar(valid: Json, written: string): string {
  const members = isObject(valid) ? Object.entries(valid) : [];
  const number = members.findIndex(([, value]) => typeof value === "number");
  const texts = members.map(([name, value], index) => {
    const replaced = index === Math.max(0, number);
    return `${JSON.stringify(name)}:${replaced ? written : JSON.stringify(value)}`;
  });
  return `{${texts.join(",")}}`;
}

/** The members as the body of an HTML form (application/x-www-form-urlencoded). */
const formOf = (valid: Json): string =>
  Object.entries(isObject(valid) ? valid : {})
    .map(
      ([name, value]) =>
        `${name}=${encodeURIComponent((typeof value === "string" ? value : JSON.stringify(value)).toWellFormed())}`,
    )
    .join("&");

const withByte = (before: string, byte: number, after: string): Uint8Array =>
  Uint8Array.from([...new TextEncoder().encode(before), byte, ...new TextEncoder().encode(after)]);

/** JSON bodies that are not objects; those that servers most often accept come first. */
export const nonObjectBodies: readonly { readonly id: string; readonly body: Json }[] = [
  { id: "null", body: null },
  { id: "a string", body: "text" },
  { id: "a number", body: 12345 },
  { id: "true", body: true },
  { id: "an empty array", body: [] },
  { id: "an array with an empty object", body: [{}] },
  { id: "an empty string", body: "" },
  { id: "zero", body: 0 },
  { id: "false", body: false },
];

import { isObject, type Json } from "../../spec/json.ts";
import { asPlainText, type Change } from "../kit/index.ts";

export const emptyBody: Change = { what: "with an empty body", text: "" };
export const whiteSpaceAlone: Change = {
  what: "whose body is white space alone",
  text: " \r\n\t ",
};
export const firstHalf: Change = { what: "whose body ends in the middle", text: halfOf };
/** A byte that is not UTF-8. Many decoders replace such bytes before they parse. */
export const byteOfLatin1: Change = {
  what: "whose body has a byte of latin-1",
  text: (right) => withByte(right, 0xe9),
};
export const cutCharacter: Change = {
  what: "whose body has a character cut in two",
  text: (right) => withByte(right, 0xc3),
};

/**
 * Operations that are not JSON (RFC 8259). In their texts, … stands for those members of the right
 * body that the text does not name.
 */
export const malformedOperations: readonly Change[] = [
  { what: "whose body has NaN", text: '{"currency_amount":NaN,…}' },
  { what: "whose body has a trailing comma", text: "{…,}" },
  { what: "whose body has NaN in an unknown member", text: '{…,"more":NaN}' },
  {
    what: "whose body has Infinity in a nested member",
    text: '{…,"more":{"inner":[Infinity]}}',
  },
  { what: "whose body has two texts in a row", text: "{…}{…}" },
  { what: "whose body is followed by a zero byte", text: "{…}\u0000" },
  { what: "whose body is followed by a byte order mark", text: "{…}\ufeff" },
  { what: "whose body has a comment", text: "/* body */{…}" },
  { what: "whose body has single quotes", text: inSingleQuotes },
  { what: "whose body has a number with a leading zero", text: '{"currency_amount":0123,…}' },
  { what: "whose body has a name without quotes", text: "{…,more:1}" },
  // The leading zero once more, as a server may refuse it only in a member that it knows.
  { what: "whose body has a leading zero in an unknown member", text: '{…,"more":0123}' },
  { what: "whose body has a form in place of JSON", text: asForm },
  { what: "whose body has a line break inside a text", text: '{…,"more":"a\nb"}' },
  { what: "whose body has an unknown escape", text: '{…,"more":"\\x41"}' },
  { what: "whose body has no closing brace", text: "{…" },
  { what: "whose body has no comma between members", text: '{… "more":1}' },
  {
    what: "whose body has a number with a plus sign in an unknown member",
    text: '{…,"more":+123}',
  },
  {
    what: "whose body has a number in hexadecimal in an unknown member",
    text: '{…,"more":0x1F}',
  },
  { what: "whose body has a literal in capitals", text: '{…,"more":TRUE}' },
  { what: "whose body has the literals of Python", text: '{…,"more":[True,None]}' },
  { what: "whose body has the word undefined", text: '{…,"more":undefined}' },
  { what: "whose body has a comment after a hash", text: "{…\n# body\n}" },
];

/** Bodies that are JSON but not objects. */
export const notObjects: readonly Change[] = [
  {
    what: "whose body is an array of the values of the members",
    body: (right) => Object.values(right ?? {}),
  },
  { what: "whose body is null", text: "null" },
  { what: "whose body is a string", text: '"text"' },
  { what: "whose body is a number", text: "12345" },
  { what: "whose body is true", text: "true" },
];

/** Legal JSON that is nested deeper than the stack of a careless parser. */
export const nested: Change = {
  what: "whose body is nested 3000 deep",
  text: `{…,"fxconform_note":${"[".repeat(3000)}${"]".repeat(3000)}}`,
};

/** A body whose Content-Encoding does not match it. Only a crash is judged (INT-44). */
export const declaredAsGzip: Change = {
  what: "declared as coded with gzip",
  headers: [["Content-Encoding", "gzip"]],
};

/** Bodies that no endpoint accepts: empty, not an object, malformed, or not coded as they say. */
export const hopelessBodies: readonly Change[] = [
  { what: "with an empty body", text: "" },
  // To a client that accepts anything, some frameworks redirect or send a page in place of an
  // error in JSON.
  { what: "without members, for Accept: */*", body: {}, headers: [["Accept", "*/*"]] },
  nested,
  firstHalf,
  byteOfLatin1,
  declaredAsGzip,
  ...notObjects.slice(0, 3),
];

function halfOf(right: Json): string {
  const text = JSON.stringify(right);
  return text.slice(0, Math.ceil(text.length / 2));
}

function inSingleQuotes(right: Json): string {
  return JSON.stringify(right).replaceAll('"', "'");
}

/** The body as an HTML form sends it (application/x-www-form-urlencoded). */
function asForm(right: Json): string {
  const members = Object.entries(isObject(right) ? right : {});
  return members
    .map(([name, value]) => `${name}=${encodeURIComponent(asPlainText(value).toWellFormed())}`)
    .join("&");
}

function withByte(right: Json, byte: number): Uint8Array {
  const before = `${JSON.stringify(right).slice(0, -1)},"more":"`;
  return Uint8Array.from([...Buffer.from(before), byte, ...Buffer.from('"}')]);
}

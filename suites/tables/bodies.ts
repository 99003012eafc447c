import { isObject, type Json } from "../../spec/json.ts";
import { asPlainText, derived, type Change, type Value } from "../kit/index.ts";

/** A change of the body. `is`: what the body is or has, in words that follow "whose body". */
export function bodyThat(is: string, text: NonNullable<Change["text"]>): Change {
  return { what: `whose body ${is}`, text };
}

export const emptyBody: Change = { what: "with an empty body", text: "" };
/**
 * To a client that accepts anything, some frameworks send a redirect or a page in place of an error
 * in JSON.
 */
export const noMembers: Change = {
  what: "without members, for Accept: */*",
  body: {},
  headers: [["Accept", "*/*"]],
};
export const whiteSpaceAlone = bodyThat("is white space alone", " \r\n\t ");
export const firstHalf = bodyThat("ends in the middle", halfOf);
/** A byte that is not UTF-8. Many decoders replace such bytes before they parse. */
export const byteOfLatin1 = bodyThat("has a byte of latin-1", (right) => withByte(right, 0xe9));
export const cutCharacter = bodyThat("has a character cut in two", (right) =>
  withByte(right, 0xc3),
);

/**
 * Operations that are not JSON (RFC 8259). In their texts, … stands for those members of the right
 * body that the text does not name.
 */
export const malformedOperations: readonly Change[] = [
  bodyThat("has NaN", '{"currency_amount":NaN,…}'),
  bodyThat("has a trailing comma", "{…,}"),
  bodyThat("has NaN in an unknown member", '{…,"more":NaN}'),
  bodyThat("has Infinity in a nested member", '{…,"more":{"inner":[Infinity]}}'),
  bodyThat("has two texts in a row", "{…}{…}"),
  bodyThat("is followed by a zero byte", "{…}\u0000"),
  bodyThat("is followed by a byte order mark", "{…}\ufeff"),
  bodyThat("has a comment", "/* body */{…}"),
  bodyThat("has single quotes", (right) => JSON.stringify(right).replaceAll('"', "'")),
  bodyThat("has a number with a leading zero", '{"currency_amount":0123,…}'),
  bodyThat("has a name without quotes", "{…,more:1}"),
  // The leading zero once more, as a server may refuse it only in a member that it knows.
  bodyThat("has a leading zero in an unknown member", '{…,"more":0123}'),
  bodyThat("has a form in place of JSON", asForm),
  bodyThat("has a line break inside a text", '{…,"more":"a\nb"}'),
  bodyThat("has an unknown escape", '{…,"more":"\\x41"}'),
  bodyThat("has no closing brace", "{…"),
  bodyThat("has no comma between members", '{… "more":1}'),
  bodyThat("has a number with a plus sign in an unknown member", '{…,"more":+123}'),
  bodyThat("has a number in hexadecimal in an unknown member", '{…,"more":0x1F}'),
  bodyThat("has a literal in capitals", '{…,"more":TRUE}'),
  bodyThat("has the literals of Python", '{…,"more":[True,None]}'),
  bodyThat("has the word undefined", '{…,"more":undefined}'),
  bodyThat("has a comment after a hash", "{…\n# body\n}"),
];

/** Bodies that are JSON but not objects. */
export const notObjects: readonly Change[] = [
  {
    what: "whose body is an array of the values of the members",
    body: (right) => Object.values(right ?? {}),
  },
  bodyThat("is null", "null"),
  bodyThat("is a string", '"text"'),
  bodyThat("is a number", "12345"),
  bodyThat("is true", "true"),
];

/** Legal JSON that is nested deeper than the stack of a careless parser. */
export const nested = bodyThat(
  "is nested 3000 deep",
  `{…,"fxconform_note":${"[".repeat(3000)}${"]".repeat(3000)}}`,
);

/** A body whose Content-Encoding does not match it. Only a crash is judged (INT-44). */
export const declaredAsGzip: Change = {
  what: "declared as coded with gzip",
  headers: [["Content-Encoding", "gzip"]],
};

/** Bodies that no endpoint accepts: empty, not an object, malformed, or not coded as they say. */
export const hopelessBodies: readonly Change[] = [
  emptyBody,
  noMembers,
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

/** Returns a change for each value, which puts the value at the place. */
export function at(place: string, values: readonly Value[]): readonly Change[] {
  return values.map((value) => ({ with: { [place]: value } }));
}

/** Digits of the last bytes of a unique text, at most so many. */
export function digitsOf(right: Json, most: number): string {
  const bytes = Buffer.from(asPlainText(right)).toString("hex");
  return BigInt(`0x${bytes}`).toString().slice(-most);
}

export const asText = derived("the right value as a string", asPlainText);
/**
 * The right value as a number if it is written in up to 15 digits, the first of them not zero;
 * otherwise 12345.
 */
export const asNumber = derived("the right value as a number", (right) =>
  /^[1-9]\d{0,14}$/.test(asPlainText(right)) ? Number(right) : 12345,
);
export const inObject = derived("the right value in an object", (value) => ({ value }));
export const inArray = derived("the right value in an array", (value) => [value]);
export const asReference = derived("the right value as a reference", (id) => ({ id }));
/** The two halves of a text, such as the two codes of a pair. */
export const halved = derived("the two halves of the right value in an array", (right) => {
  const text = asPlainText(right);
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
});
/** A value that document databases read as a condition which every value meets. */
export const operator = { $gt: "" };

import { isObject, type Json } from "../../../spec/contract.ts";
import { asPlainText, scenario, type Change, type Table } from "../../kit/index.ts";

/** A body is one JSON object (specification, Endpoints, 3; INT-19). */
export const invalidBodies = scenario({
  id: "operation/invalid/bodies",
  title: "bodies that are not an operation",
  checks: ["OPER-32", "OPER-33", "OPER-34"],
  run: async ({ controlOperation, draw, observed, refused, together }) => {
    const control = await controlOperation(400);
    await together([
      ...draw(notObjects).map((change) => refused(control, change, "OPER-32", 400)),
      refused(control, { what: "with an empty body", text: "" }, "OPER-33", 400),
      ...draw(malformed).map((change) => refused(control, change, "OPER-34", 400)),
    ]);
    await together(doubtfulBodies.map((change) => observed(control, change, "OPEN-36")));
  },
});

/** Bodies that are JSON but no objects. Some readers take an array for the members in the order of the contract. */
const notObjects: Table<Change> = {
  name: "bodies that are no operation",
  always: [
    { what: "whose body is an array around an operation", body: (right) => [right] },
    { what: "whose body is a string that holds an operation", body: (right) => JSON.stringify(right) },
    { what: "whose body is an array of the values of the members", body: (right) => Object.values(right ?? {}) },
    { what: "whose body is null", text: "null" },
    { what: "whose body is a string", text: '"text"' },
    { what: "whose body is a number", text: "12345" },
    { what: "whose body is true", text: "true" },
  ],
  sometimes: [
    { what: "whose body is an empty array", text: "[]" },
    { what: "whose body is an array with an empty object", text: "[{}]" },
    { what: "whose body is an empty string", text: '""' },
    { what: "whose body is zero", text: "0" },
    { what: "whose body is false", text: "false" },
  ],
};

/** Bodies that are no JSON texts. In them, … stands for the members of the control that the text does not name. */
const malformed: Table<Change> = {
  name: "malformed operations",
  always: [
    { what: "whose body is white space alone", text: " \r\n\t " },
    { what: "whose body has only its first half", text: firstHalf },
    { what: "whose body has NaN", text: '{"currency_amount":NaN,…}' },
    { what: "whose body has a trailing comma", text: "{…,}" },
    { what: "whose body has NaN in an unknown member", text: '{…,"more":NaN}' },
    { what: "whose body has Infinity in a nested member", text: '{…,"more":{"inner":[Infinity]}}' },
    { what: "whose body has two texts in a row", text: "{…}{…}" },
    { what: "whose body has a comment", text: "/* body */{…}" },
    { what: "whose body has single quotes", text: inSingleQuotes },
    { what: "whose body has a number with a leading zero", text: '{"currency_amount":0123,…}' },
    { what: "whose body has a name without quotes", text: "{…,more:1}" },
    { what: "whose body has a form in place of JSON", text: asForm },
    { what: "whose body has a line break inside a text", text: '{…,"more":"a\nb"}' },
    { what: "whose body has an unknown escape", text: '{…,"more":"\\x41"}' },
    { what: "whose body has no closing brace", text: "{…" },
    { what: "whose body has no comma between members", text: '{… "more":1}' },
    { what: "whose body has a number with a plus sign in an unknown member", text: '{…,"more":+123}' },
    { what: "whose body has a number in hexadecimal in an unknown member", text: '{…,"more":0x1F}' },
    { what: "whose body has a literal in capitals", text: '{…,"more":TRUE}' },
    { what: "whose body has the literals of Python", text: '{…,"more":[True,None]}' },
    { what: "whose body has the word undefined", text: '{…,"more":undefined}' },
    { what: "whose body has a comment after a hash", text: "{…\n# body\n}" },
  ],
  sometimes: [
    { what: "whose body has a leading zero in a nested member", text: '{…,"more":{"inner":[0123]}}' },
    { what: "whose body has -Infinity in an unknown member", text: '{…,"more":-Infinity}' },
    { what: "whose body has no digits before the point in an unknown member", text: '{…,"more":.5}' },
    { what: "whose body has a closing brace too many", text: "{…}}" },
    { what: "whose body has a leading comma", text: "{,…}" },
    { what: "whose body has a name without value", text: '{…,"more":}' },
    { what: "whose body has no colon", text: '{…,"more" 1}' },
    { what: "whose body has a number without digits after the point", text: '{"currency_amount":12.,…}' },
    { what: "whose body has Infinity", text: '{"currency_amount":Infinity,…}' },
    { what: "whose body has -Infinity", text: '{"currency_amount":-Infinity,…}' },
    { what: "whose body has a number with a plus sign", text: '{"currency_amount":+123,…}' },
    { what: "whose body has a number without digits before the point", text: '{"currency_amount":.5,…}' },
    { what: "whose body has NaN in a nested member", text: '{…,"more":{"inner":[NaN]}}' },
    { what: "whose body has Infinity in an unknown member", text: '{…,"more":Infinity}' },
    { what: "whose body has -Infinity in a nested member", text: '{…,"more":{"inner":[-Infinity]}}' },
    { what: "whose body has no digits before the point in a nested member", text: '{…,"more":{"inner":[.5]}}' },
    { what: "whose body has a leading zero in an unknown member", text: '{…,"more":0123}' },
    { what: "whose body has a bare word in place of JSON", text: "body" },
    { what: "whose body has XML in place of JSON", text: "<body/>" },
  ],
};

/** What some readers accept: many decoders replace bytes that are not UTF-8 before they parse. Only a crash is a fault. */
const doubtfulBodies: readonly Change[] = [
  { what: "whose body has a byte of latin-1", text: (right) => withByte(right, 0xe9) },
  { what: "whose body has a character cut in two", text: (right) => withByte(right, 0xc3) },
  // Legal JSON, deeper than the stack of a careless parser.
  { what: "whose body is nested 3000 deep", text: `{…,"fxconform_note":${"[".repeat(3000)}${"]".repeat(3000)}}` },
  // A number that no double holds (RFC 8259, 6).
  { what: "with the number 1e400 at /currency_amount", text: '{"currency_amount":1e400,…}' },
  // Parsers may accept or refuse it (RFC 8259, 8.1).
  { what: "whose body begins with a byte order mark", text: "\ufeff{…}" },
  // A coding that does not match the body (INT-44).
  { what: "declared as coded with gzip", headers: [["Content-Encoding", "gzip"]] },
];

function firstHalf(right: Json): string {
  const text = JSON.stringify(right);
  return text.slice(0, Math.ceil(text.length / 2));
}

function inSingleQuotes(right: Json): string {
  return JSON.stringify(right).replaceAll('"', "'");
}

/** As an HTML form sends it (application/x-www-form-urlencoded). */
function asForm(right: Json): string {
  const members = Object.entries(isObject(right) ? right : {});
  return members.map(([name, value]) => `${name}=${encodeURIComponent(asPlainText(value))}`).join("&");
}

function withByte(right: Json, byte: number): Uint8Array {
  const before = `${JSON.stringify(right).slice(0, -1)},"more":"`;
  return Uint8Array.from([...Buffer.from(before), byte, ...Buffer.from('"}')]);
}

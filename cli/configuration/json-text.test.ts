import { array, assert, constantFrom, json, property } from "fast-check";
import { expect, test } from "vitest";
import { jsonFault } from "./json-text.ts";

test.each([
  ["", "unexpected end", 1, 1],
  ['{"a":\n  1,}', 'no "', 2, 5],
  ['{"a": supersecret}', "unexpected text", 1, 7],
  ['{"a": "b" "c": 1}', "no , or }", 1, 11],
  ['["a\nb"]', "a text without its end", 1, 2],
  ["[01]", "unexpected text", 1, 2],
  ["{} x", "after its end", 1, 4],
  ['{"a":{"b":1,\n"\\u0062":2}}', "has a name twice", 2, 1],
])("%j", (text, what, line, column) => {
  expect(jsonFault(text)).toEqual({ what: expect.stringContaining(what), line, column });
});

test("it takes what JSON.parse takes, however it is spelt", () => {
  assert(
    property(json(), constantFrom("", "\t", "\r\n"), (text, space) => {
      expect(jsonFault(JSON.stringify(JSON.parse(text), undefined, space))).toBeUndefined();
    }),
  );
});

test("it refuses what JSON.parse refuses", () => {
  const piece = constantFrom("{", "}", "[", "]", ",", ":", '"a"', '"', "1", "-", "1.5e3", "true", " ", "\\", "x");
  assert(
    property(array(piece, { maxLength: 7 }), (pieces) => {
      const text = pieces.join("");
      const fault = jsonFault(text);
      if (fault?.what.includes("twice") !== true) expect(fault === undefined, text).toBe(parses(text));
    }),
    { numRuns: 5_000 },
  );
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

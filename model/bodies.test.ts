import * as fc from "fast-check";
import { expect, test } from "vitest";
import { jsonSizeOf } from "./bodies.ts";

const bytesOf = (text: string): Buffer => Buffer.from(text);
function without(text: string, most: number): string {
  return Buffer.from(jsonSizeOf(bytesOf(text), most).kept).toString();
}

test.each([
  ['{"a":[1,2,{}]}', 3, 6],
  ['["[[[{,:", "\\"[[[", "\\\\", []]', 2, 5],
  ["[[[", 3, 3],
])("%s has %i levels and %i marks", (text, levels, marks) => {
  expect(jsonSizeOf(bytesOf(text))).toMatchObject({ levels, marks });
});

test.each([
  ['{"a":[1,[2,["]"]],{"b":{}}],"c":[]}', 2, '{"a":[],"c":[]}'],
  ["[[[[", 2, "[["],
  ["[[[]]] x", 2, "[[]] x"],
])("%s without what is deeper than %i levels", (text, most, wanted) => {
  expect(without(text, most)).toBe(wanted);
});

test("what is not too deep stays as it is, and the rest of any JSON text is JSON again, as deep as allowed", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 1, max: 7 }), (text, most) => {
      const { levels } = jsonSizeOf(bytesOf(text));
      const kept = without(text, most);
      if (levels <= most) expect(kept).toBe(text);
      expect(() => JSON.parse(kept) as unknown).not.toThrow();
      expect(jsonSizeOf(bytesOf(kept)).levels).toBe(Math.min(levels, most));
    }),
  );
});

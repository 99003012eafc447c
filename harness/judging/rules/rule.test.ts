import { describe, expect, test } from "vitest";
import type { Json } from "../../../spec/json.ts";
import { apartText, shown } from "./rule.ts";

/** A value that is nested deeper than the stack. */
function deep(wrap: (inner: Json) => Json): Json {
  let value: Json = 1;
  for (let i = 0; i < 200_000; i += 1) value = wrap(value);
  return value;
}

describe("a JSON value for a person", () => {
  test.each([
    [undefined, "absent"],
    [null, "null"],
    ['a "b"', String.raw`"a \"b\""`],
    [[1, { a: "b" }], '[1,{"a":"b"}]'],
  ])("%j", (value, wanted) => expect(shown(value)).toBe(wanted));

  test("nested without end has a sign for what it is", () => {
    expect(shown(deep((inner) => [inner]))).toBe("[…]");
    expect(shown(deep((inner) => ({ inner })))).toBe("{…}");
  });

  test("long is cut to a window, a text before it is escaped", () => {
    expect(shown("x".repeat(50_000))).toBe(`"${"x".repeat(19_999)}`);
    expect(shown(["x".repeat(50_000)])).toBe(`["${"x".repeat(19_998)}`);
    expect(shown("\0".repeat(100_000_000))).toHaveLength(20_000);
  });
});

const long = "x".repeat(120);

test.each([
  ["abc", "abd", ""],
  [`${long}a`, `${long}b`, ' (from character 121 on: "b" in the place of "a")'],
  [long, "x", ' (from character 2 on: nothing in the place of "x")'],
  ["Cafe\u0301", "Caf\u00e9", ' (from character 4 on: U+00E9 in the place of "e" U+0301)'],
  ["p\u0430y", "pay", ' (from character 2 on: "a" in the place of U+0430)'],
  ["a\u00a0b", "a b", ' (from character 2 on: " " in the place of U+00A0)'],
  ["a\u200bb", "ab", ' (from character 2 on: "b" in the place of U+200B)'],
  ["\u{1f600}", "\u{1f601}", " (from character 1 on: U+1F601 in the place of U+1F600)"],
])("%j and %j differ", (before, after, words) => expect(apartText(before, after)).toBe(words));

import { describe, expect, test } from "vitest";
import {
  inOtherCase,
  ofTheSameShape,
  truncated,
  withOneCharacterReplaced,
  withTail,
} from "./altered.ts";

const secrets = [
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjdXN0In0.c2lnbmF0dXJl",
  "0123456789abcdef",
  "fx_live_7Hq-2kPz",
  "-------a-------",
  "a",
  "ab",
  "A".repeat(4096),
  "9zZ0",
];

function differences(a: string, b: string): readonly number[] {
  return [...a].flatMap((character, i) => (character === b.charAt(i) ? [] : [i]));
}

describe("one character replaced (INT-17)", () => {
  test.each(secrets)("%s", (secret) => {
    const other = withOneCharacterReplaced(secret);
    expect(other).toHaveLength(secret.length);
    const [at, ...more] = differences(secret, other);
    expect(more).toEqual([]);
    expect(at).toBeDefined();
    expect(other.toLowerCase()).not.toBe(secret.toLowerCase());
    const before = secret.charAt(at ?? 0);
    const after = other.charAt(at ?? 0);
    for (const kind of [/[a-z]/, /[A-Z]/, /[0-9]/])
      expect(kind.test(after)).toBe(kind.test(before));
  });

  test.each([
    [0.85, [39]],
    [0, [1]],
  ])("stands near %d of the length, inside of a part", (where, at) => {
    const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJj.c2lnbmF0dXJl";
    expect(differences(token, withOneCharacterReplaced(token, where))).toEqual(at);
  });
});

test.each([
  ["abcdef", "abcd"],
  ["abcd", "ab"],
  ["abc", "ab"],
  ["ab", "a"],
  ["a", ""],
])("truncated %s is %s", (secret, wanted) => expect(truncated(secret)).toBe(wanted));

test("with a tail", () => {
  expect(withTail("abc")).toMatch(/^abc[A-Za-z0-9]{8,}$/);
});

test("in the other case", () => {
  expect(inOtherCase("aBc-1")).toBe("AbC-1");
  expect(inOtherCase("123")).toBe("123");
});

test.each(secrets.filter((secret) => secret.length > 1))(
  "of the shape of %s, with no letter or digit the same",
  (secret) => {
    const shape = (text: string) =>
      text.replaceAll(/[a-z]/g, "a").replaceAll(/[A-Z]/g, "A").replaceAll(/[0-9]/g, "0");
    const other = ofTheSameShape(secret);
    expect(shape(other)).toBe(shape(secret));
    expect(differences(secret, other)).toHaveLength(secret.replaceAll(/[^A-Za-z0-9]/g, "").length);
  },
);

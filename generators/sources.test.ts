import { expect, test } from "vitest";
import { sampleOf } from "./pool.ts";
import { expectLaws } from "./testing/laws.ts";
import { words } from "./sources.ts";

const drawn = () => sampleOf(words, { seed: 1, n: 2_000 });
const parts = () => drawn().map((text) => text.split(" "));

test("two or three words of two to four syllables, each with a capital", () => {
  const word = "[BDFGKLMNPRSTVZ][aeiou]([bdfgklmnprstvz][aeiou]){1,3}";
  const pattern = new RegExp(`^${word}( ${word}){1,2}$`);
  expectLaws(words, (text) => pattern.test(text));
  expect(new Set(parts().map((one) => one.length))).toEqual(new Set([2, 3]));
  expect(
    new Set(
      parts()
        .flat()
        .map((one) => one.length),
    ),
  ).toEqual(new Set([4, 6, 8]));
});

test("every syllable is drawn", () => {
  const met = new Set(
    parts().flatMap((one) => one.flatMap((word) => word.toLowerCase().match(/../g) ?? [])),
  );
  expect(met.size).toBe(14 * 5);
});

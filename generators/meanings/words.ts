import * as fc from "fast-check";

/** Two or three made-up words of ASCII letters, 9 to 26 characters in all, so that no real name is sent. */
export const words: fc.Arbitrary<string> = fc
  .array(fc.array(syllable(), { minLength: 2, maxLength: 4 }), { minLength: 2, maxLength: 3 })
  .map((parts) => parts.map((syllables) => capitalised(syllables.join(""))).join(" "));

function syllable(): fc.Arbitrary<string> {
  const pair = fc.tuple(fc.constantFrom(..."bdfgklmnprstvz"), fc.constantFrom(..."aeiou"));
  return pair.map((letters) => letters.join(""));
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

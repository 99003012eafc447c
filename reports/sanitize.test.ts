import { expect, test } from "vitest";
import { plain, plainCommand, plainJson, plainLines } from "./sanitize.ts";

test("a command is whole or absent", () => {
  expect(plainCommand("curl -X GET", 20)).toBe("curl -X GET");
  expect(plainCommand("curl -X GET", 10)).toBe("");
});

test("blanks and signs of commands cost no more time than other characters", () => {
  // In quadratic time, this would not end within the limit of a test.
  for (const text of [" ", "\n", ":", "::", "#"])
    expect(plain(text.repeat(2 ** 18), 2 ** 20)).not.toBe("");
});

test.each([
  ["as it is: ü → 漢字 👩‍👩‍👧", "as it is: ü → 漢字 👩‍👩‍👧"],
  ["\u001b[31mred", "\\u001b[31mred"],
  ["a\r\nb\rc\td", "a\\nb\\nc\\td"],
  ["\u202eevil", "\\u202eevil"],
  ["\ud800 and \udc00", "\\ud800 and \\udc00"],
  ["\u{e0041}", "\\u{e0041}"],
  ["::add-mask::x", "\\u003a:add-mask::x"],
  ["std::vector", "std::vector"],
  ["::1 is a loopback address", "::1 is a loopback address"],
  ["##[command] ## title", "\\u0023#[command] ## title"],
])("%j becomes %j", (given, want) => {
  expect(plain(given)).toBe(want);
});

test("a text that is too long is cut between characters, and says by how much", () => {
  expect(plain("abcdef", 3)).toBe("abc… (3 more characters)");
  expect(plain("ab👍cd", 3)).toBe("ab… (4 more characters)");
});

test("plainLines keeps line breaks and tabs", () => {
  expect(plainLines("a\r\nb\rc\td\n::x::")).toBe("a\nb\nc\td\n\\u003a:x::");
});

test("a sanitized text is not changed again", () => {
  const once = plain("\u001b::\u0000\n##[x]\ud800");
  expect(plain(once)).toBe(once);
});

test("a JSON text stays the same data, and shows nothing that acts", () => {
  const texts = [
    "##[error]x",
    "###vso[",
    "\u202eabc\u2066",
    "a\u{e0041}\u{e007f}b",
    "\u007f\u009b",
    "::error::x",
    "😀",
  ];
  const made = plainJson(JSON.stringify({ texts }, undefined, 2));
  expect(JSON.parse(made)).toEqual({ texts });
  expect(made).not.toMatch(
    /##|[\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]|^\s*::/mu,
  );
  expect(made).toContain("😀");
});

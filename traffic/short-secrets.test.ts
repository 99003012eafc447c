import { expect, test } from "vitest";
import { createShortSecrets } from "./short-secrets.ts";

const secretsOf = (...secrets: readonly (readonly [secret: string, label: string])[]) => {
  const short = createShortSecrets();
  for (const [secret, label] of secrets) short.add(secret, label);
  return short;
};

test.each([
  ["a whole text", "abc1234", "[token]"],
  ["after a scheme", "Basic abc1234", "Basic [token]"],
  ["a JSON string", '{"a":"abc1234"}', '{"a":"[token]"}'],
  ["JSON in JSON", String.raw`"{\"a\":\"abc1234\"}"`, String.raw`"{\"a\":\"[token]\"}"`],
  ["a word", "the key abc1234, is wrong", "the key [token], is wrong"],
  ["a part of a longer word", "xabc1234x abc12345", "xabc1234x abc12345"],
])("a secret of 7 characters goes where it is %s", (_, text, expected) => {
  expect(secretsOf(["abc1234", "token"]).redact(text)).toBe(expected);
});

test.each([
  ["a whole text", "k1", "[key]"],
  ["a JSON string", '{"a":"k1","k1x":"k1x"}', '{"a":"[key]","k1x":"k1x"}'],
  ["a word by chance", "see k1 below", "see k1 below"],
])("a secret of 2 characters and %s", (_, text, expected) => {
  expect(secretsOf(["k1", "key"]).redact(text)).toBe(expected);
});

test("cookies go where they are values; as words only if they look like no word", () => {
  const { redact } = secretsOf(["dark", "cookie"], ["s3cr3t", "cookie"]);
  expect(redact("theme=dark; sid=s3cr3t")).toBe("theme=[cookie]; sid=[cookie]");
  expect(redact("a dark day, s3cr3t")).toBe("a dark day, [cookie]");
});

test("numbers, signs of patterns, and the longer of two", () => {
  expect(secretsOf(["1234567", "key"]).redact('{"a":1234567}')).toBe('{"a":[key]}');
  expect(secretsOf(["a.b*c", "key"]).redact("a.b*c aXbbc")).toBe("[key] aXbbc");
  expect(secretsOf(["abcd", "one"], ["abcd-e", "two"]).redact("abcd-e abcd")).toBe("[two] [one]");
});

test("longer secrets are none of these; words of JSON are no secrets", () => {
  const short = createShortSecrets();
  expect(short.add("eight888", "token")).toBe(false);
  short.add("true", "token");
  expect(short.redact('{"eight888":true}')).toBe('{"eight888":true}');
  expect(short.warnings()).toEqual([]);
});

test("each kind is warned of once; a pseudonym of a recording is replaced without a warning", () => {
  const short = secretsOf(["abc", "token"], ["abd", "token"], ["key-1", "API key"]);
  expect(short.warnings()).toEqual([expect.stringContaining("A secret (token) is shorter than 8 characters")]);
  expect(short.redact("key-1")).toBe("[API key]");
});

test("of thousands the newest are known", () => {
  const short = createShortSecrets();
  for (let index = 0; index < 5000; index += 1) short.add(`s-${index}`, "token");
  expect(short.redact('"s-4999" "s-1"')).toBe('"[token]" "s-1"');
});

import { expect, test } from "vitest";
import { holdsSecret, withoutSecrets, withoutSecretWords } from "./secrets.ts";

const secret = 'key/+é"01&=zz9';
// tests/secrets.test.ts has every spelling.
test.each([secret, encodeURIComponent(secret), JSON.stringify(secret), Buffer.from(secret).toString("base64")])(
  "%s is found and masked",
  (spelling) => {
    const text = `before ${spelling} after`;
    expect(holdsSecret(text, [secret])).toBe(true);
    expect(holdsSecret(withoutSecrets(text, [secret]), [secret])).toBe(false);
  },
);

test("other text is left alone", () => {
  expect(holdsSecret("nothing of the kind", [secret])).toBe(false);
  expect(withoutSecrets("nothing of the kind", [secret, ""])).toBe("nothing of the kind");
});

test("a short secret is not searched for", () => {
  expect(holdsSecret("a short text", ["short"])).toBe(false);
  expect(withoutSecrets("a short text", ["short", "a"])).toBe("a short text");
});

test.each([
  ["pass", "3 passed, pass=pass", "3 passed, ‹secret›=‹secret›"],
  ["a.b", "a.b axb a.bc", "‹secret› axb a.bc"],
  ["\ud800", "half \ud800", "half ‹secret›"],
])("the short secret %s is masked where it is a word", (short, text, masked) => {
  expect(withoutSecretWords(text, [short, ""])).toBe(masked);
});

test("a secret with half a character in it", () => {
  expect(holdsSecret("abc\ud800defgh", ["abc\ud800defgh"])).toBe(true);
});

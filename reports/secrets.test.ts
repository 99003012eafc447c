import { expect, test } from "vitest";
import { createRedaction } from "../model/evidence/redaction.ts";
import { spellingsOf } from "../model/evidence/secret-spellings.ts";
import type { Run } from "../model/run.ts";
import { holdsSecret, reportText, withoutSecrets, withoutSecretWords } from "./secrets.ts";

const secret = `k3y/+Ab=~Zq_&<>"'9é😀`;
/** Spellings of the secret: those of `spellingsOf`, and some others. */
const written = [
  ...spellingsOf(secret),
  [...secret].toReversed().join(""),
  Buffer.from(secret, "utf16le").toString("hex"),
];

test("redaction, the search and the masks of the artefacts know the same spellings of a secret", () => {
  const { redact, add } = createRedaction();
  add(secret, "API key");
  const around = (text: string): string => `before ${text} after`;
  expect(written.filter((text) => !redact(around(text)).includes(text))).toEqual(
    spellingsOf(secret),
  );
  expect(written.filter((text) => holdsSecret(around(text), [secret]))).toEqual(
    spellingsOf(secret),
  );
  expect(written.filter((text) => withoutSecrets(around(text), [secret]) !== around(text))).toEqual(
    spellingsOf(secret),
  );
});

test("a secret that was cut or changed is replaced, but is no reason to refuse a text", () => {
  for (const text of [secret.slice(0, 14), secret.toUpperCase(), [...secret].join(" ")]) {
    expect(holdsSecret(text, [secret])).toBe(false);
    expect(withoutSecrets(text, [secret])).toMatch(/^‹secret›/);
  }
});

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

/** A run with a text of the server. */
const runWith = (text: string): Run => ({ warnings: [text] }) as unknown as Run;

test("a report is refused for a secret in a text of the server, and for no word of its own", () => {
  const run = runWith(`a ${secret}`);
  const render = ({ warnings }: Run): string => `{"name":"fxconform"} ${warnings.join(" ")}`;
  expect(reportText(run, render, [secret])).toBeUndefined();
  expect(reportText(runWith("a text"), render, [secret, '"fxconform"'])).toBe(
    '{"name":"fxconform"} a text',
  );
});

test("texts that show a secret only as a report writes them are left out of it", () => {
  const run = runWith("<abc&def>");
  const render = ({ warnings }: Run): string => warnings.join(" ").replaceAll("<", "&lt;");
  expect(reportText(run, render, ["&lt;abc&"])).toBe("[left out]");
});

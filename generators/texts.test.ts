import { describe, expect, test } from "vitest";
import type { Json } from "../spec/json.ts";
import { createGenerators, malformedTextsOf, oddTexts, sampleOf, jsonSpellings } from "./index.ts";
import { contract, domain, withBody } from "./testing/contract.ts";

const generators = createGenerators(contract, domain);
const bodies: readonly Json[] = withBody.flatMap((one) =>
  sampleOf(generators.valid(one), { seed: 4, n: 10 }),
);

function decoded(text: string | Uint8Array): string {
  return typeof text === "string" ? text : new TextDecoder("utf-8", { fatal: true }).decode(text);
}

/** The bytes as a text with one character for each. */
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

describe("malformed texts", () => {
  test("each has its one mistake, of the kind that its name says", async () => {
    const lines = malformedTextsOf({ currency_pair: "USDBRL", amount: 10.5 }).map(
      ({ id, kind, text }) =>
        `${kind} ${id} ${JSON.stringify(typeof text === "string" ? text : latin1(text))}`,
    );
    await expect(lines.join("\n")).toMatchFileSnapshot("testing/malformed-texts.golden");
  });

  test("none is JSON in UTF-8", () => {
    for (const body of bodies)
      for (const { text } of malformedTextsOf(body))
        expect(() => JSON.parse(decoded(text)) as Json).toThrow();
  });

  test("the first number is replaced, or the first value if there is no number", () => {
    const textOf = (body: Json) => malformedTextsOf(body).find(({ id }) => id === "NaN")?.text;
    expect(textOf({ a: "x", b: 1, c: 2 })).toBe('{"a":"x","b":NaN,"c":2}');
    expect(textOf({ a: "x", b: "y" })).toBe('{"a":NaN,"b":"y"}');
    expect(textOf({ a: { b: 1 }, c: 2 })).toBe('{"a":{"b":1},"c":NaN}');
    expect(textOf({ 'a"': 1 })).toBe('{"a\\"":NaN}');
  });
});

test("each spelling has the same value", () => {
  for (const body of [...bodies, { a: 1e21, b: 0.000_000_1, c: 0.5, d: -3 }])
    for (const { id, textOf } of jsonSpellings) expect(JSON.parse(textOf(body)), id).toEqual(body);
});

test("the spellings of an operation", async () => {
  const body = { currency_amount: 10.5, list: [1, null, true], text: "Aé" };
  const lines = jsonSpellings.map(({ id, textOf }) => `${id} ${JSON.stringify(textOf(body))}`);
  await expect(lines.join("\n")).toMatchFileSnapshot("testing/spellings.golden");
});

test("odd texts differ, in name and in text, and survive JSON in UTF-8", () => {
  expect(new Set(oddTexts.map(({ id }) => id)).size).toBe(oddTexts.length);
  expect(new Set(oddTexts.map(({ text }) => text)).size).toBe(oddTexts.length);
  for (const { id, text } of oddTexts) expect(text.isWellFormed()).toBe(id !== "half a character");
});

test("exactly the texts that trimming, normalising or replacing changes are fragile", () => {
  const plain = (text: string): string =>
    text
      .trim()
      .normalize("NFC")
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Cn}\p{Zl}\u200b]/gu, "");
  const changed = oddTexts.filter(({ text }) => text === "" || plain(text) !== text);
  expect(oddTexts.filter(({ fragile }) => fragile !== undefined)).toEqual(changed);
});

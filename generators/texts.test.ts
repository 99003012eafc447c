import { expect, test } from "vitest";
import type { Json } from "../spec/json.ts";
import {
  itemArbitrary,
  jsonSpellings,
  oddTexts,
  payeeArbitrary,
  payeeRows,
  sampleOf,
} from "./index.ts";

const bodies: readonly Json[] = [
  ...payeeRows()
    .slice(0, 20)
    .flatMap((row) => sampleOf(payeeArbitrary(row), { seed: 4, n: 1 })),
  ...sampleOf(itemArbitrary("CPF", 12.34), { seed: 4, n: 5 }),
];

test("each spelling has the same value", () => {
  for (const body of [...bodies, { a: 1e21, b: 0.000_000_1, c: 0.5, d: -3 }])
    for (const { id, spell } of jsonSpellings) expect(JSON.parse(spell(body)), id).toEqual(body);
});

test("the spellings of an operation", async () => {
  const body = { currency_amount: 10.5, list: [1, null, true], text: "Aé" };
  const lines = jsonSpellings.map(({ id, spell }) => `${id} ${JSON.stringify(spell(body))}`);
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

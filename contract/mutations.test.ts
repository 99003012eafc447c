import { expect, test } from "vitest";
import { foundIn, judged } from "./testing/judged.ts";
import { mistakes, ourDocument, type Change } from "./testing/mutations.ts";

const found = async ({ apply }: Change) => {
  const changed = ourDocument();
  apply(changed);
  return foundIn(await judged(changed));
};

test("our own document has no finding", async () => {
  expect(foundIn(await judged(ourDocument()))).toEqual({ fail: [], warn: [] });
});

test("at least 95 % of the mistakes are found", { timeout: 300_000 }, async () => {
  const missed: string[] = [];
  for (const mistake of mistakes) {
    const { fail, warn } = await found(mistake);
    if (fail.length + warn.length === 0) missed.push(mistake.name);
  }
  expect(missed.length / mistakes.length, missed.join("; ")).toBeLessThan(0.05);
});

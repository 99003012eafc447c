import { expect, test } from "vitest";
import { foundIn, judged } from "./testing/judged.ts";
import { mistakes, ourDocument } from "./testing/mutations.ts";

test("our own document has no finding", async () => {
  expect(foundIn(await judged(ourDocument()))).toEqual({ fail: [], warn: [] });
});

test("at least 95 % of the mistakes are found", { timeout: 300_000 }, async () => {
  const missed: string[] = [];
  for (const { kind, name, apply } of mistakes) {
    const document = ourDocument();
    apply(document);
    const { fail, warn } = foundIn(await judged(document));
    if (fail.length + warn.length === 0) missed.push(`${kind}: ${name}`);
  }
  expect(mistakes.length).toBeGreaterThan(250);
  expect(missed.length / mistakes.length, missed.join("; ")).toBeLessThan(0.05);
});

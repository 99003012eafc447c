import { expect, test } from "vitest";
import { foundIn, judged } from "./testing/judged.ts";
import { mistakes, ourDocument } from "./testing/mutations.ts";

test("our own document has no finding", async () => {
  expect(foundIn(await judged(ourDocument()))).toEqual({ fail: [], warn: [] });
});

test(
  "every mistake is found, but where a schema is left without members, which says nothing",
  { timeout: 300_000 },
  async () => {
    const missed: string[] = [];
    for (const { name, apply } of mistakes) {
      const document = ourDocument();
      apply(document);
      const { fail, warn } = foundIn(await judged(document));
      if (fail.length + warn.length === 0) missed.push(name);
    }
    expect(mistakes.length).toBeGreaterThan(200);
    expect(missed).toEqual(
      ["Token.token", "Error.message", "BatchRequest.currency_pair"].map(
        (one) => `${one}: left out`,
      ),
    );
  },
);

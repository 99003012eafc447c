import { describe, expect, test } from "vitest";
import { expectFound, frameworkFiles, frameworkText } from "./testing/expect-found.ts";
import { foundIn, judgedText } from "./testing/judged.ts";
import { planted } from "./testing/planted.ts";

const names = Object.keys(planted);

test("there are documents of five frameworks, and forty mistakes for each", () => {
  expect(frameworkFiles.length).toBeGreaterThanOrEqual(5);
  expect(names.length).toBeGreaterThanOrEqual(40);
});

test.each(frameworkFiles)("%s has no finding", async (file) => {
  expect(foundIn(await judgedText(frameworkText(file)))).toEqual({ fail: [], warn: [] });
});

/**
 * Each third mistake, in one of the documents. `planted.test.ts` plants each mistake in every
 * document.
 */
describe("a mistake is found at its line", () => {
  const sample = names
    .filter((_, index) => index % 3 === 0)
    .map((name, index) => [frameworkFiles[index % frameworkFiles.length] ?? "", name] as const);
  test.each(sample)("%s: %s", (file, name) => expectFound(file, name));
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { otherCases, readStatement } from "./statement.ts";

/** The answers that a statement with this text pins. */
async function read(text: string) {
  const path = join(temporaryFolder(), "statement.yaml");
  writeFileSync(path, text);
  return readStatement(path, "--statement");
}

test.each([
  ["an answer is pinned in every case", "OPEN-19: seconds", [{ answers: ["seconds"] }]],
  ["a number is its text", "OPEN-19: 201", [{ answers: ["201"] }]],
  ["several answers are allowed", "OPEN-19: [a, 201]", [{ answers: ["a", "201"] }]],
  [
    "answers are pinned case by case",
    "OPEN-19: { a: [x, y], b: x }",
    [
      { case: "x", answers: ["a", "b"] },
      { case: "y", answers: ["a"] },
    ],
  ],
  [
    "the cases that are not named are all others",
    `OPEN-19: { a: x, b: ${otherCases} }`,
    [
      { case: "x", answers: ["a"] },
      { except: ["x"], answers: ["b"] },
    ],
  ],
])("%s", async (_what, text, pins) => {
  expect(await read(text)).toEqual(pins.map((pin) => ({ question: "OPEN-19", ...pin })));
});

test("an answer in words of an earlier version is the answer of today", async () => {
  expect(await read("OPEN-21: [accepted, later]")).toEqual([
    { question: "OPEN-21", answers: ["no", "later"] },
  ]);
});

import { expect, test } from "vitest";
import { answerGroups } from "./answers.ts";

const told = (...values: readonly string[]): readonly string[] =>
  answerGroups({ id: "OPEN-01", question: "", answers: values.map((value) => ({ value, count: 2 })) }).map(
    ({ answer, count, cases }) => `${answer} × ${count} [${cases.join(", ")}]`,
  );

test.each([
  [[], []],
  [["open"], ["open × 2 []"]],
  [["IMPORT: accepted"], ["accepted × 2 [IMPORT]"]],
  [["401: without a key"], ["401 × 2 [without a key]"]],
  [
    ["without /a: accepted", "without /b: refused with 400", "without /c: accepted"],
    ["accepted × 4 [without /a, without /c]", "refused with 400 × 2 [without /b]"],
  ],
  [
    ["404: unknown: x", "400: empty", "400: cut"],
    ["400 × 4 [empty, cut]", "404 × 2 [unknown: x]"],
  ],
  [
    ["absent", "equal", "other: two"],
    ["absent × 2 []", "equal × 2 []", "two × 2 [other]"],
  ],
])("%j", (values, wanted) => {
  expect(told(...values)).toEqual(wanted);
});

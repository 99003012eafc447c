import { expect, test } from "vitest";
import { answerGroups } from "./groups.ts";

const grouped = (...answers: readonly (readonly [string, string])[]): readonly string[] =>
  answerGroups({
    id: "OPEN-01",
    question: "",
    answers: answers.map(([inCase, answer]) => ({ case: inCase, answer, count: 2 })),
  }).map(({ answer, count, cases }) => `${answer} × ${count} [${cases.join(", ")}]`);

test("cases with the same answer are one group, the most frequent answer first", () => {
  expect(grouped(["empty", "400"], ["without /a", "accepted"], ["without /b", "accepted"])).toEqual([
    "accepted × 4 [without /a, without /b]",
    "400 × 2 [empty]",
  ]);
});

import { expect, test } from "vitest";
import { answerGroups } from "./groups.ts";

test("cases with the same answer are one group, the most frequent answer first", () => {
  const seen = (inCase: string, answer: string) => ({ case: inCase, answer, count: 2 });
  const answers = [
    seen("empty", "400"),
    seen("without /a", "accepted"),
    seen("without /b", "accepted"),
  ];
  expect(answerGroups({ id: "OPEN-01", question: "", answers })).toEqual([
    { answer: "accepted", count: 4, cases: ["without /a", "without /b"] },
    { answer: "400", count: 2, cases: ["empty"] },
  ]);
});

import { expect, test } from "vitest";
import { answerGroups, durationText, idsText } from "./wording.ts";
import { requirementIds, type RequirementId } from "../spec/catalogue.ts";

test.each([
  [0, "0 ms"],
  [0.44, "0.4 ms"],
  [3210, "3.2 s"],
  [59_990, "1 min 0 s"],
  [125_000, "2 min 5 s"],
  [12_030_000, "3 h 20 min"],
])("%d ms are %j", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

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

test.each<[readonly RequirementId[], string]>([
  [[], ""],
  [["OPER-02"], "OPER-02"],
  [["OPER-02", "OPER-03"], "OPER-02, OPER-03"],
  [["AUTH-22", "AUTH-20", "AUTH-21", "OPER-02"], "AUTH-20 to AUTH-22, OPER-02"],
  [["AUTH-20", "AUTH-22"], "AUTH-20, AUTH-22"],
])("requirements are named, however many there are: %s", (ids, text) => {
  expect(idsText(ids)).toBe(text);
});

test("a range ends with its area", () => {
  expect(idsText(requirementIds)).toMatch(/^AUTH-01 to AUTH-\d+, CPTY-01 to CPTY-\d+, /);
});

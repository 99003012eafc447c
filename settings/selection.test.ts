import { expect, test } from "vitest";
import { requirementIds, requirementsIn } from "../spec/catalogue.ts";
import { selectionOf } from "./selection.ts";

function named(...value: readonly string[]) {
  return { value, where: "--only" };
}

test.each([
  ["nothing", {}, requirementIds],
  ["ids in any order and case", { only: named("OPER-02", "auth-01") }, ["AUTH-01", "OPER-02"]],
  ["an area", { only: named("ACAM") }, requirementsIn("acam")],
  [
    "an area without an id",
    { only: named("acam"), exclude: named("acam-01") },
    requirementsIn("acam").slice(1),
  ],
])("%s selects requirements in the order of the catalogue", (_what, words, want) => {
  expect(selectionOf(words)).toEqual({ selection: want, problems: [] });
});

test.each([
  ["OPER-2", "Did you mean OPER-02?"],
  ["open-20", "Open questions are observed in every run; name a requirement or an area."],
])("%s is refused with advice", (found, advice) => {
  const what = "names neither a requirement nor an area";
  expect(selectionOf({ only: named(found) }).problems).toEqual([
    { where: "--only", what, found, advice },
  ]);
});

test("words that leave nothing are refused once, where the last of them stands", () => {
  const exclude = { value: ["OPER-02"], where: "--exclude" };
  const { problems } = selectionOf({ only: named("OPER-02"), exclude });
  expect(problems).toMatchObject([{ where: "--exclude", what: "leaves no requirement to check" }]);
});

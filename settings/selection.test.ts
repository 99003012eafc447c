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

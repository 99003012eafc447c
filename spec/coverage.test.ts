import { expect, test } from "vitest";
import { catalogue, requirementIds, coverageOf, requirementsOf } from "./catalogue.ts";
import { interpretationIds } from "./interpretations.ts";
import { prose } from "./prose.ts";
import { sectionNames } from "./sections.ts";

test.each(sectionNames)("section %s has rows, or a reason why it has none", (name) => {
  const { requirements, interpretations, questions, reason = "" } = coverageOf(name);
  expect([...requirements, ...interpretations, ...questions, reason].join("")).not.toBe("");
});

test("every requirement has an interpretation", () => {
  const reached = new Set(interpretationIds.flatMap(requirementsOf));
  expect(requirementIds.filter((id) => !reached.has(id))).toEqual([]);
});

test.each(
  interpretationIds.filter((id) => /^(MUST|SHOULD)$/.test(prose.interpretations[id].level)),
)("%s has the strictest level of the requirements that it concerns", (id) => {
  const levels = requirementsOf(id).map((one) => catalogue[one].level);
  expect(levels).toContain(prose.interpretations[id].level);
  expect(prose.interpretations[id].level === "SHOULD" && levels.includes("MUST")).toBe(false);
});

import { expect, test } from "vitest";
import { catalogue, requirementIds, coverageOf, requirementsOf } from "./catalogue.ts";
import { interpretationIds, interpretationOf } from "./interpretations.ts";
import { sectionNames } from "./sections.ts";

test.each(sectionNames)("section %s has rows, or a reason why it has none", (name) => {
  const { requirements, interpretations, questions, reason = "" } = coverageOf(name);
  expect([...requirements, ...interpretations, ...questions, reason].join("")).not.toBe("");
});

test("every requirement has an interpretation", () => {
  const reached = new Set(interpretationIds.flatMap(requirementsOf));
  expect(requirementIds.filter((id) => !reached.has(id))).toEqual([]);
});

test.each(interpretationIds.filter((id) => /^(MUST|SHOULD)$/.test(interpretationOf(id).level)))(
  "%s has the strictest level of the requirements that it concerns",
  (id) => {
    const levels = requirementsOf(id).map((one) => catalogue[one].level);
    expect(levels).toContain(interpretationOf(id).level);
    expect(interpretationOf(id).level === "SHOULD" && levels.includes("MUST")).toBe(false);
  },
);

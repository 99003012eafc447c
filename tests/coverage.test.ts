import { expect, test } from "vitest";
import { requirementIds } from "../spec/catalogue.ts";
import { rulings, sections } from "../spec/coverage.ts";
import { questionIds, questions } from "../spec/questions.ts";
import { checks } from "../harness/judging/checks/index.ts";
import { standingOperations } from "../harness/scenario.ts";
import { scenarios } from "../suites/index.ts";

const cited = new Set(scenarios.flatMap(({ requirements }) => requirements));

test("every requirement is judged by a scenario or by a standing check", () => {
  const judged = (id: (typeof requirementIds)[number]): boolean => cited.has(id) || standingOperations(id).length > 0;
  expect(requirementIds.filter((id) => !judged(id))).toEqual([]);
});

test("every requirement has a scenario that its selection starts", () => {
  const started = (id: (typeof requirementIds)[number]): boolean =>
    cited.has(id) ||
    scenarios.some(({ operations }) => standingOperations(id).some((name) => operations.includes(name)));
  expect(requirementIds.filter((id) => !started(id))).toEqual([]);
});

test("each standing check judges something, and nothing that is not in the catalogue", () => {
  for (const check of checks) {
    expect(check.judges.length).toBeGreaterThan(0);
    for (const { requirement } of check.judges) expect(requirementIds).toContain(requirement);
  }
});

test("scenario ids are distinct, for they seed what is drawn", () => {
  const ids = scenarios.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("every question is observed, or says why it cannot be", () => {
  const standing = ["OPEN-01", "OPEN-03", "OPEN-16", "OPEN-17", "OPEN-19", "OPEN-26", "OPEN-27", "OPEN-40", "OPEN-43"];
  const observed = new Set<string>([...scenarios.flatMap((scenario) => scenario.questions ?? []), ...standing]);
  const silent = questionIds.filter((id) => !observed.has(id));
  for (const id of silent) expect(`${id}: ${questions[id].observed}`).toMatch(/not observable/);
});

test("every section of the specification and every ruling leads somewhere", () => {
  expect(Object.keys(rulings).map(Number)).toEqual(Array.from({ length: 33 }, (_, index) => index + 1));
  for (const [name, { requirements, questions: open, reason }] of [
    ...Object.entries(sections),
    ...Object.entries(rulings),
  ]) {
    expect(`${name}: ${requirements.length + open.length > 0 || reason !== undefined}`).toBe(`${name}: true`);
  }
});

test("every requirement and every question follows from a section or a ruling", () => {
  const all = [...Object.values(sections), ...Object.values(rulings)];
  const reached = new Set<string>(all.flatMap(({ requirements, questions: open }) => [...requirements, ...open]));
  expect([...requirementIds, ...questionIds].filter((id) => !reached.has(id))).toEqual([]);
});

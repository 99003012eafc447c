import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { neededOperations, requirementIds, standingOperations, type RequirementId } from "../spec/catalogue.ts";
import { questionIds, questions } from "../spec/questions.ts";
import { scenarios } from "../suites/index.ts";

const cited = new Set(scenarios.flatMap(({ requirements }) => requirements));

/** The scenarios that a selection of one requirement starts in profile full. */
const startedBy = (id: RequirementId) =>
  scenarios.filter(
    ({ requirements, operations, phase }) =>
      requirements.includes(id) ||
      (phase !== "last" && operations.some((name) => standingOperations(id).includes(name))),
  );

test("every requirement is judged by a scenario or by a standing check", () => {
  expect(requirementIds.filter((id) => !cited.has(id) && standingOperations(id).length === 0)).toEqual([]);
});

test("the scenarios that a requirement starts send all that its row needs", () => {
  const isSent = (id: RequirementId): boolean => {
    const sent = new Set(startedBy(id).flatMap(({ operations }) => operations));
    return neededOperations(id).every((name) => sent.has(name));
  };
  expect(requirementIds.filter((id) => !isSent(id))).toEqual([]);
});

test("scenario ids are unique, because they seed the samples", () => {
  const ids = scenarios.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("every open question is observed where its row says", () => {
  const observed = new Set(["suites", "harness"].flatMap(questionsIn));
  expect(questionIds.filter((id) => questions[id].shows === "sequence" && !observed.has(id))).toEqual([]);
  expect(questionIds.filter((id) => questions[id].shows === "never" && observed.has(id))).toEqual([]);
});

/** The open questions that the code of a folder names. */
function questionsIn(name: string): readonly string[] {
  const folder = join(import.meta.dirname, "..", name);
  const code = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    /(?<!\.test)\.ts$/.test(path),
  );
  return code.flatMap((path) => readFileSync(join(folder, path), "utf8").match(/OPEN-\d+/g) ?? []);
}

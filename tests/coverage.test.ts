import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { endpoints } from "../spec/endpoints.ts";
import { prose } from "../spec/prose.ts";
import { questionIds } from "../spec/questions.ts";
import { scenarios } from "../suites/index.ts";

test("scenario ids are unique, because they seed the samples", () => {
  const ids = scenarios.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("every open question is observed where its row says", () => {
  // Requirements and questions about statuses, which rules and scenarios take from the rows of
  // operations.
  const ofStatus = Object.values(endpoints).flatMap((row) => [
    row.successQuestion,
    row.refusalQuestion,
  ]);
  const observed = new Set<string | undefined>([
    ...["suites", "harness"].flatMap(questionsIn),
    ...ofStatus,
  ]);
  expect(
    questionIds.filter((id) => prose.questions[id].shows === "sequence" && !observed.has(id)),
  ).toEqual([]);
  expect(
    questionIds.filter((id) => prose.questions[id].shows === "never" && observed.has(id)),
  ).toEqual([]);
});

/** The open questions that the code in a folder names. */
function questionsIn(name: string): readonly string[] {
  const folder = join(import.meta.dirname, "..", name);
  const code = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    /(?<!\.test)\.ts$/.test(path),
  );
  return code.flatMap((path) => readFileSync(join(folder, path), "utf8").match(/OPEN-\d+/g) ?? []);
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { mergedRun } from "../model/conclusion/merging.ts";
import type { Run } from "../model/run.ts";
import { runs } from "../reports/testing/runs.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const rules = { strict: false, statement: [], baseline: [] };

test("a run, a recording, a document and merged reports are concluded by one function", () => {
  const folders = ["model", "engine", "cli"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
      (name) => `${folder}/${name}`,
    ),
  );
  const modules = folders.filter(
    (path) => path.endsWith(".ts") && !/[.]test[.]ts$|\/testing\//.test(path),
  );
  const using = (name: string): readonly string[] =>
    modules
      .filter((path) => new RegExp(`\\b${name}\\(`).test(readFileSync(join(root, path), "utf8")))
      .toSorted();
  expect(using("conclude")).toEqual([
    "engine/document/judge.ts",
    "engine/recording/recording.ts",
    "engine/server/run-of.ts",
    "model/conclusion/conclude.ts",
    "model/conclusion/merging.ts",
  ]);
  expect(using("conclusionOf")).toEqual(["model/conclusion/conclude.ts"]);
});

test.each([
  ["conformant", runs.conformant],
  ["failed", runs.nonconformant],
] as const)("a %s run, merged alone, is the same run", (_, run) => {
  const merged = mergedRun([run], rules);
  expect(concludedOf(merged)).toEqual(concludedOf(run));
  expect(merged.gate.pass).toBe(run.gate.pass);
});

/**
 * What follows from the findings, without the findings themselves, because the rows of these runs
 * have their own statements.
 */
function concludedOf({
  requirements,
  outcome,
  summary,
  observations,
  exchanges,
  createdCounts,
  selection,
}: Run) {
  const rows = requirements.map(({ id, verdict, reason, skippedBy, findings }) => {
    const words = findings.map(({ message, expected, actual }) => ({ message, expected, actual }));
    return { id, verdict, reason, skippedBy, words };
  });
  return { rows, outcome, summary, observations, exchanges, createdCounts, selection };
}

import { expect, test } from "vitest";
import { mergedRun } from "../model/conclusion/merging.ts";
import type { Run } from "../model/run.ts";
import { runs } from "../reports/testing/runs.ts";

const rules = { strict: false, statement: [], baseline: [] };

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

import { expect, test } from "vitest";
import { runs } from "../../reports/testing/runs.ts";
import type { Run } from "../../model/run.ts";
import { exitCodeOf } from "./exit-code.ts";

const { conformant, nonconformant, inconclusive, interrupted, error } = runs;
const open = { pass: true, reasons: [], tolerated: [] };
const shut = {
  pass: false,
  reasons: [{ kind: "must-failed", text: "for a reason" }],
  tolerated: [],
} as const;

test.each<[string, Run, number]>([
  ["conformant, the gate shut by --strict", { ...conformant, gate: shut }, 1],
  ["nonconformant, all known by the baseline", { ...nonconformant, gate: open }, 0],
  ["inconclusive", inconclusive, 3],
  ["inconclusive, a MUST failed", { ...inconclusive, requirements: nonconformant.requirements }, 1],
  ["interrupted, a MUST failed", { ...interrupted, requirements: nonconformant.requirements }, 130],
  ["error, the gate open", { ...error, gate: open }, 4],
])("%s", (_, run, code) => {
  expect(exitCodeOf(run)).toBe(code);
});

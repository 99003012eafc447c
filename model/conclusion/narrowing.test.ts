import { expect, test } from "vitest";
import type { Narrowing } from "../run-options.ts";
import { narrowedTexts } from "./narrowing.ts";
import { rowOf } from "../testing/rows.ts";

test("what narrows the gate is said with its file and its effect", () => {
  const file = "fxconform.config.yaml";
  const narrowing: readonly Narrowing[] = [
    { option: "only", given: "[AUTH-01]", file },
    { option: "baseline", given: "b.yaml", file },
    { option: "statement", given: "s.yaml", file },
  ];
  const baseline = [{ requirement: "AUTH-01", reason: "r", expires: "2030-01-31" }] as const;
  const requirements = [
    rowOf("AUTH-01", "pass"),
    rowOf("AUTH-02", "skip"),
    rowOf("AUTH-03", "skip"),
  ];
  expect(narrowedTexts({ narrowing, baseline, statement: [] }, requirements)).toEqual([
    "`only: [AUTH-01]` in fxconform.config.yaml: 2 of 3 requirements were not checked",
    "`baseline: b.yaml` in fxconform.config.yaml: 1 known failure tolerated",
    "`statement: s.yaml` in fxconform.config.yaml: 0 answers to open questions pinned",
  ]);
  expect(narrowedTexts({ baseline, statement: [] }, requirements)).toEqual([]);
});

import { expect, test } from "vitest";
import { markdown } from "./markdown.ts";
import { hostileRun } from "../testing/hostile.ts";
import { largeRun } from "../testing/whole.ts";
import type { Run } from "../../model/run.ts";

/** A run with thousands of findings whose texts are long and have characters of four bytes. */
function longest(): Run {
  const run = largeRun(5000);
  const long = "𝕏".repeat(3000);
  const hostile = hostileRun(long);
  return {
    ...run,
    summary: long,
    gate: hostile.gate,
    warnings: Array.from({ length: 500 }, () => long),
    client: Array.from({ length: 500 }, () => ({
      operation: "createBatch" as const,
      text: long,
      count: 1,
      example: long,
    })),
    observations: run.observations.map((each) => ({
      ...each,
      answers: Array.from({ length: 30 }, () => ({ case: "any", answer: long, count: 1 })),
    })),
    requirements: run.requirements.map((row, index) => {
      if (index % 3 === 0) return { ...row, verdict: "inconclusive", reason: `${index} ${long}` };
      return {
        ...row,
        findings: row.findings.map((each) => ({
          ...each,
          message: long,
          expected: long,
          actual: long,
          curl: long,
          replay: long,
        })),
      };
    }),
  };
}

test("stays below 60 KB and says what it leaves out", () => {
  for (const run of [largeRun(5000), longest()]) {
    const text = markdown.render(run);
    expect(Buffer.byteLength(text)).toBeLessThan(60_000);
    expect(text).toMatch(/and \d+ more failures in the other reports/);
  }
});

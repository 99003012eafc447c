import { expect, test } from "vitest";
import type { Cause } from "../model/run.ts";
import { referenceRuns } from "./reference-run.ts";

/** Failures with the same cause are reported together. */
const { against, fxconform } = referenceRuns("causes-test-key-8f2c");

const createOperation = { operation: "createOperation", expected: "status 400" } as const;
/** For each fault, the cause of its failures and the number of requirements that fail. */
const table = {
  "operation-missing-422": [{ ...createOperation, actual: "status 422" }, 4],
  "operation-currency-amount-nullable": [
    { ...createOperation, actual: "status 200", input: "with null for a member" },
    1,
  ],
} as const satisfies Record<string, readonly [Partial<Cause>, number]>;

test.each<[keyof typeof table, keyof typeof table]>([["operation-missing-422", "operation-currency-amount-nullable"]])(
  "%s and %s have one cause each",
  { timeout: 120_000 },
  async (...faults) => {
    const { run } = await against({ faults }, (words) => fxconform(["run", ...words, "--runs", "5"]));
    expect(run.outcome).toBe("nonconformant");
    const causes = run.causes.map(({ requirements, ...cause }) => ({ ...cause, requirements: requirements.length }));
    const wanted = faults.map((fault) => {
      const [cause, requirements] = table[fault];
      return expect.objectContaining({ ...cause, requirements }) as unknown;
    });
    expect(causes).toHaveLength(2);
    expect(causes).toEqual(expect.arrayContaining(wanted));
  },
);

import { expect, test } from "vitest";
import type { Cause } from "../model/run.ts";
import { referenceRuns } from "./reference-run.ts";

/** Mistakes that break many requirements are reported by their cause. */
const { against, fxconform } = referenceRuns("causes-test-key-8f2c");

/** The causes in a run against a server with these faults. */
const causesOf = async (...faults: readonly string[]): Promise<readonly Cause[]> => {
  const { run } = await against({ faults }, (words) => fxconform(["run", ...words, "--runs", "5"]));
  expect(run.outcome).toBe("nonconformant");
  return run.causes;
};

const createOperation = { operation: "createOperation", expected: "status 400" } as const;
const list = { operation: "listBatches", expected: "a 4xx status" } as const;
const crash = { expected: "a status below 500" };

/** Faults, the cause of all that they break, and how many requirements that is. */
const table = {
  "operation-invalid-422": [{ ...createOperation, actual: "status 422" }, 15],
  "operation-invalid-403": [{ ...createOperation, actual: "status 403" }, 15],
  "operation-missing-422": [{ ...createOperation, actual: "status 422" }, 4],
  "operation-null-422": [{ ...createOperation, actual: "status 422" }, 4],
  "operation-type-422": [{ ...createOperation, actual: "status 422" }, 4],
  "key-any-accepted": [{ operation: "createToken", expected: "a 4xx status", actual: "status 200" }, 5],
  "list-refused-with-redirect": [{ ...list, actual: "status 302" }, 5],
  "list-empty-for-strangers": [{ ...list, actual: "status 200" }, 5],
  "crash-operation-null": [{ ...crash, operation: "createOperation", actual: "status 500" }, 5],
  "crash-list-made-up-token": [{ ...crash, operation: "listBatches", actual: "status 502" }, 5],
} as const satisfies Record<string, readonly [Partial<Cause>, number]>;

test.each(Object.entries(table))("%s is one cause", { timeout: 120_000 }, async (fault, [cause, requirements]) => {
  const causes = await causesOf(fault);
  expect(causes).toEqual([expect.objectContaining(cause)]);
  expect(causes.flatMap((one) => one.requirements)).toHaveLength(requirements);
});

test.each<[keyof typeof table, keyof typeof table]>([
  ["operation-missing-422", "crash-operation-null"],
  ["operation-type-422", "key-any-accepted"],
  ["operation-null-422", "list-empty-for-strangers"],
  ["key-any-accepted", "list-refused-with-redirect"],
  ["operation-invalid-403", "crash-list-made-up-token"],
])("%s and %s are two causes", { timeout: 120_000 }, async (one, other) => {
  const causes = await causesOf(one, other);
  const wanted = [table[one], table[other]].map(([cause]) => expect.objectContaining(cause) as unknown);
  expect(causes).toHaveLength(2);
  expect(causes).toEqual(expect.arrayContaining(wanted));
});

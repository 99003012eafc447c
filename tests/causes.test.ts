import { expect, test } from "vitest";
import type { Cause } from "../model/run.ts";
import { referenceRuns } from "./reference-run.ts";

/** Mistakes that break many requirements are reported by their cause. */
const { against, fxconform } = referenceRuns("causes-test-key-8f2c");

const createOperation = { operation: "createOperation", expected: "status 400" } as const;
const list = { operation: "listBatches", expected: "a 4xx status" } as const;
const crash = { expected: "a status below 500" };

/** Faults, the cause of all that they break, and how many requirements that is. */
const table = {
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

test.each<[keyof typeof table, keyof typeof table]>([
  ["operation-missing-422", "crash-operation-null"],
  ["operation-type-422", "key-any-accepted"],
  ["operation-null-422", "list-empty-for-strangers"],
  ["key-any-accepted", "list-refused-with-redirect"],
  ["operation-invalid-403", "crash-list-made-up-token"],
])("%s and %s are two causes, one each", { timeout: 120_000 }, async (...faults) => {
  const { run } = await against({ faults }, (words) => fxconform(["run", ...words, "--runs", "5"]));
  expect(run.outcome).toBe("nonconformant");
  const causes = run.causes.map(({ requirements, ...cause }) => ({ ...cause, requirements: requirements.length }));
  const wanted = faults.map((fault) => {
    const [cause, requirements] = table[fault];
    return expect.objectContaining({ ...cause, requirements }) as unknown;
  });
  expect(causes).toHaveLength(2);
  expect(causes).toEqual(expect.arrayContaining(wanted));
});

import { expect, test, vi } from "vitest";
import { around, problem, remembering } from "../reference/change.ts";
import type { Change } from "../reference/policy.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import type { OperationName } from "../spec/operations.ts";
import { referenceRuns } from "./reference-run.ts";

vi.setConfig({ testTimeout: 300_000 });

const { against, fxconform } = referenceRuns("later-refusals-key-7b2c");

const words = "Closed for today";

/** Accepts `most` valid requests of an operation, and refuses all later ones. */
function closingAfter(most: number, closed: OperationName): Change {
  return remembering(() => {
    let accepted = 0;
    return around(async (call, next) => {
      if (call.operation !== closed) return next(call);
      if (accepted >= most) return problem(422, words);
      const answer = await next(call);
      if (answer.status < 300) accepted += 1;
      return answer;
    });
  });
}

/** The server closes after it has accepted the calibration of the run. */
test.each<readonly [OperationName, accepted: number, requirement: RequirementId, hint: string]>([
  ["createCounterparty", 1, "CPTY-11", "--customer-id"],
  ["createOperation", 2, "OPER-16", "--currency-pairs"],
  ["addAcamItem", 1, "ACAM-03", "may add ACAM items"],
  ["createBatch", 1, "BATCH-07", "--currency-pairs"],
])(
  "%s is refused after %i: %s has no verdict, for the words of the server, with a hint",
  async (operation, accepted, requirement, hint) => {
    const { run } = await against({ changes: [closingAfter(accepted, operation)] }, (target) =>
      fxconform(["run", ...target, "--only", requirement, "--grace", "300ms"]),
    );
    const row = run.requirements.find(({ id }) => id === requirement);
    expect(row?.verdict).toBe("inconclusive");
    expect(row?.reason).toContain(words);
    expect(row?.reason).toContain(hint);
  },
);

test("bad tokens at POST /batches need no further operation", async () => {
  const members = JSON.stringify({ operation_ids: ["{operation_id}"] });
  const { verdictOf } = await against({ changes: [closingAfter(1, "createOperation")] }, (target) =>
    fxconform([
      "run",
      ...target,
      "--only",
      "AUTH-32,AUTH-33",
      "--batch-members",
      members,
      "--grace",
      "300ms",
    ]),
  );
  expect(["AUTH-32", "AUTH-33"].map((id) => verdictOf(id as RequirementId))).toEqual([
    "pass",
    "pass",
  ]);
});

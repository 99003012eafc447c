import { expect, test } from "vitest";
import { createWitness } from "../evidence/evidence.ts";
import { notFinite, type Mistake } from "../run.ts";
import { notFiniteInput, type RequestFacts } from "../request-facts.ts";
import { causesFrom, findingOf, rowOf } from "../testing/rows.ts";

const accepted: Mistake = {
  kind: "accepted",
  of: "with a member of another type",
  expected: "refused",
  actual: "accepted",
};
const infinity: Mistake = { kind: "body", of: "success", expected: "JSON", actual: notFinite };

/** The causes of a run in which a request with these traits was accepted, and others show Infinity. */
function storyOf(traits: readonly string[], ...shownBy: readonly Partial<RequestFacts>[]) {
  const witness = createWitness();
  const [source, later] = [accepted, infinity].map((one) => findingOf({ mistake: one }));
  const note = (id: number, facts: Partial<RequestFacts>, finding: typeof source): void => {
    witness.request({ id, operation: "createOperation", at: id, took: 1, status: 200, ...facts });
    witness.judged(id, ["OPER-28"]);
    if (finding !== undefined) witness.shows(id, finding.mistake);
  };
  note(1, { kind: "invalid", traits }, source);
  for (const [index, facts] of shownBy.entries()) note(index + 2, facts, later);
  const rows = [
    rowOf("OPER-28", "fail", { findings: source ? [source] : [] }),
    rowOf("BATCH-30", "fail", {
      findings: later ? [{ ...later, operation: "listBatches", intent: "valid" }] : [],
    }),
  ];
  return causesFrom(rows, witness);
}

const list = { operation: "listBatches" } as const;

test("a number that is not finite goes with the accepted body that brought it in", () => {
  const [only, ...others] = storyOf([notFiniteInput], list, { operation: "createBatch" });
  expect(others).toEqual([]);
  expect(only).toMatchObject({
    requirements: ["OPER-28", "BATCH-30"],
    example: { requirement: "OPER-28" },
  });
  expect(storyOf([notFiniteInput], list, { kind: "invalid" })).toHaveLength(1);
});

test("it is a mistake of its own where a valid creation shows it too, or nothing brought it in", () => {
  expect(storyOf([notFiniteInput], list, {})).toHaveLength(2);
  expect(storyOf([], list)).toHaveLength(2);
});

import { expect, test } from "vitest";
import { createWitness } from "../evidence/witness.ts";
import { notFinite, type Mistake } from "../run.ts";
import type { RequestFacts } from "../request-facts.ts";
import { causesFrom, findingOf, rowOf } from "../testing/rows.ts";

const accepted: Mistake = {
  kind: "accepted",
  of: "with a member of another type",
  expected: "refused",
  actual: "accepted",
};
const boolean: Mistake = {
  kind: "type",
  of: "foreign_currency_amount",
  expected: "a number",
  actual: "a boolean",
};
const infinity: Mistake = { kind: "body", of: "success", expected: "JSON", actual: notFinite };
const amount = "foreign_currency_amount: a boolean";

/**
 * The requirements of each mistake, after a request was accepted and other requests show a
 * mistake.
 */
function storyOf(
  broughtIn: readonly string[],
  mistake: Mistake,
  ...shownBy: readonly Partial<RequestFacts>[]
) {
  const witness = createWitness();
  const [source, later] = [accepted, mistake].map((one) => findingOf({ mistake: one }));
  const note = (id: number, facts: Partial<RequestFacts>, finding: typeof source): void => {
    witness.request({ id, operation: "createOperation", at: id, took: 1, status: 200, ...facts });
    witness.judged(id, ["OPER-28"]);
    if (finding !== undefined) witness.shows(id, finding.mistake);
  };
  note(1, { kind: "invalid", broughtIn }, source);
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

test("a value that the server accepted goes with that mistake where batches show it", () => {
  const [only, ...others] = storyOf([amount], boolean, list, { operation: "createBatch" });
  expect(others).toEqual([]);
  expect(only).toMatchObject({
    text: "Requests with another type for currency_amount are accepted: 1 of 1 request",
    requirements: ["OPER-28", "BATCH-30"],
    example: { requirement: "OPER-28" },
  });
});

test.each<[string, Parameters<typeof storyOf>]>([
  ["a valid creation shows it too", [[amount], boolean, list, {}]],
  ["a valid creation brought the number in", [[notFinite], infinity, list, {}]],
])("it is a mistake of its own where %s", (_, facts) => {
  expect(storyOf(...facts)).toHaveLength(2);
});

test("a number that is not finite goes with the accepted body that brought it in", () => {
  expect(storyOf([notFinite], infinity, list, { kind: "invalid" })).toHaveLength(1);
});

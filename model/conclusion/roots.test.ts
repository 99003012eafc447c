import { expect, test } from "vitest";
import { createWitness } from "../evidence/evidence.ts";
import { oneIdForTwo, other } from "../mistake.ts";
import type { Mistake } from "../run.ts";
import { causesFrom, findingOf, rowOf } from "../testing/rows.ts";

/** A mistake, and the numbers of the responses that show it. */
type Shown = readonly [mistake: Mistake, ...responses: readonly number[]];

/** The first words of the text of each cause, where six operations were created, the last two together. */
function textsOf(...all: readonly Shown[]): readonly string[] {
  const witness = createWitness();
  for (let id = 1; id <= 6; id += 1) {
    const times = { at: id * 10, took: id === 5 ? 11 : 1 };
    witness.request({ id, operation: "createOperation", ...times, status: 200 });
    witness.judged(id, ["OPER-12"]);
  }
  for (const [mistake, ...ids] of all) for (const id of ids) witness.shows(id, mistake);
  const findings = all.map(([mistake]) =>
    findingOf({
      mistake,
      operation: "createOperation",
      intent: "valid",
      message: `${mistake.actual}.`,
      pointer: `/intermediary_bank/${mistake.of}`,
    }),
  );
  const rows = [rowOf("OPER-12", "fail", { findings })];
  return causesFrom(rows, witness).map(({ text }) => text);
}

const missing = (of: string): Mistake => ({ kind: "missing", of, expected: "text", actual: "" });
const [name, code] = [missing("bank_name"), missing("swift_code")];

test("members that are missing from the same responses are one mistake", () => {
  expect(textsOf([name, 1, 2], [code, 1, 2])).toEqual([
    "bank_name and swift_code of intermediary_bank are missing: 2 of 6 operations",
  ]);
});

test("members that are missing from different responses are a mistake each", () => {
  expect(textsOf([name, 1, 2], [code, 2])).toEqual([
    "bank_name of intermediary_bank is missing: 2 of 6 operations",
    "swift_code of intermediary_bank is missing: 1 of 6 operations",
  ]);
});

test("a member without which a run cannot go on is a mistake of its own", () => {
  expect(textsOf([name, 1, 2], [missing("operation_id"), 1, 2])).toHaveLength(2);
});

const twice = other("createOperation", "an id for each operation", oneIdForTwo);
const amount = {
  kind: "echo",
  of: "foreign_currency_amount",
  expected: "as sent",
  actual: "another value: a number",
} as const satisfies Mistake;
const batch = { kind: "value", of: "batch_id", expected: "= null", actual: "a string" } as const;

test("what an earlier operation shows in place of a new one goes with the id that it shares", () => {
  expect(textsOf([twice, 2, 3, 4], [amount, 2, 4], [batch, 3])).toEqual([
    "one id for two: 3 of 6 responses",
  ]);
});

test("a wrong value that a new operation shows as well is a mistake of its own", () => {
  expect(textsOf([twice, 2, 3], [amount, 1, 2])).toEqual([
    "one id for two: 2 of 6 responses",
    "foreign_currency_amount does not come back as sent: 2 of 6 operations",
  ]);
});

test("a list that shows the id which two batches got is a consequence", () => {
  const batches = other("createBatch", "an id for each batch", oneIdForTwo);
  const listed = other("listBatches", "an id for each batch", oneIdForTwo);
  const rows = [batches, listed].map((mistake) =>
    rowOf("BATCH-06", "fail", { findings: [findingOf({ mistake, intent: "valid" })] }),
  );
  const witness = createWitness();
  const storyOf = (...shown: readonly Mistake[]) => {
    for (const mistake of shown) witness.shows(1, mistake);
    return causesFrom(rows, witness).length;
  };
  expect(storyOf(listed)).toBe(2);
  expect(storyOf(listed, batches)).toBe(1);
});

test("what two responses in flight together have of each other is one mistake", () => {
  const mixed: Mistake = { ...twice, kind: "mixed up", actual: "that of another request" };
  const wrong = other("createOperation", "its own purpose", "another purpose");
  const all = "that of another request: 2 of 6 responses";
  expect(textsOf([mixed, 5, 6], [amount, 5], [wrong, 6])).toEqual([all]);
  expect(textsOf([mixed, 5, 6], [wrong, 4, 6])).toHaveLength(2);
});

test("a success that reports a failure goes with the id that valid requests get as null", () => {
  const failure: Mistake = { ...amount, kind: "accepted", of: "an error" };
  const nullOf = (of: string): Mistake => ({ ...batch, kind: "null", of });
  expect(textsOf([failure, 1], [nullOf("operation_id"), 2])).toHaveLength(1);
  expect(textsOf([failure, 1], [nullOf("customer_id"), 2])).toHaveLength(2);
});

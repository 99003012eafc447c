import { describe, expect, test } from "vitest";
import type { Exchange, Json } from "../../../model/exchange.ts";
import { batch, changed, exchangeOf } from "../../../model/testing/exchanges.ts";
import { brokenIn, nothingKnown, said } from "../../testing/judgements.ts";
import { members } from "./members.ts";

const ids = ["BATCH-03", "BATCH-09", "BATCH-34", "BATCH-35"];

/** What the rule says of these requirements. */
const judged = (exchange: Exchange, known = nothingKnown()): readonly string[] =>
  said(members, exchange, known)
    .filter((line) => ids.some((id) => line.startsWith(`${id} `)))
    .toSorted();

const created = (json: Json) => exchangeOf("createBatch", { json });
const listOf = (...batches: Json[]) => exchangeOf("listBatches", { json: { batches, count: 1, total: 1 } });

describe("the status of a creation (INT-06)", () => {
  test("201 is right, another 2xx is not quite", () => {
    expect(judged(created({ id: "b" }))).toEqual(["BATCH-03 holds"]);
    expect(judged(exchangeOf("createBatch", { status: 200, json: { id: "b" } }))).toEqual([
      "BATCH-03 POST /batches answers a valid request with 200. | status 201 | status 200 | -",
    ]);
    expect(judged(exchangeOf("createBatch", { status: 200, json: {} }))).toHaveLength(1);
  });

  test("where the first batch of a pair comes again, nothing was created", () => {
    const known = nothingKnown();
    known.identities.remember("batch", "b", '"USDBRL"');
    expect(judged(exchangeOf("createBatch", { status: 200, json: { id: "b" } }), known)).toEqual(["BATCH-03 holds"]);
    expect(brokenIn(exchangeOf("createBatch", { status: 200, json: { id: "c" } }), known)).toEqual(["BATCH-03"]);
  });
});

describe("operations in a batch (INT-30)", () => {
  test("have no operation_purpose and the batch's id", () => {
    expect(judged(created(batch))).toEqual(["BATCH-03 holds", "BATCH-09 holds", "BATCH-34 holds", "BATCH-35 holds"]);
    expect(judged(listOf(batch))).toEqual(["BATCH-09 holds", "BATCH-34 holds", "BATCH-35 holds"]);
  });

  test.each(["EFX", null, "", 7])("operation_purpose %j is one too many", (operation_purpose) => {
    const one = { id: "b-1", operations: [{}, { operation_purpose }] };
    expect(brokenIn(listOf(one))).toEqual(["BATCH-34"]);
    expect(judged(created(one))).toEqual([
      "BATCH-03 holds",
      `BATCH-34 POST /batches: /operations/*/operation_purpose is not absent. | /operations/1/operation_purpose is absent | /operations/1/operation_purpose = ${JSON.stringify(operation_purpose)} | /operations/1/operation_purpose`,
    ]);
  });

  test("the id of another batch is reported", () => {
    const other = changed(batch, "/operations/0/batch_id", "b-2");
    expect(brokenIn(created(other))).toEqual(["BATCH-35"]);
    expect(judged(listOf(batch, { ...(other as object), id: "b-3" }))).toContain(
      'BATCH-35 GET /batches: /operations/*/batch_id is not the id of the batch. | /batches/1/operations/0/batch_id = "b-3" | /batches/1/operations/0/batch_id (operation "o-9" of batch "b-3") = "b-2" | /batches/1/operations/0/batch_id',
    );
  });

  test("a hundred thousand wrong ones are reported a hundred times", () => {
    const wrong = { operations: Array.from({ length: 1000 }, () => ({ operation_purpose: "EFX" })) };
    expect(judged(listOf(wrong))).toHaveLength(100);
  });
});

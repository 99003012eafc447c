import { describe, expect, test } from "vitest";
import type { Exchange } from "../../../model/exchange.ts";
import { exchangeOf } from "../../../model/testing/exchanges.ts";
import type { Json } from "../../../spec/json.ts";
import { nothingKnown, saidAfter } from "../../testing/judgements.ts";
import { batchedOperations } from "./batched-operations.ts";

const sent = {
  currency_pair: "USDBRL",
  currency_amount: 10.5,
  operation_purpose: "EFX",
  counterparty_id: "c-1",
};
const created = exchangeOf("createOperation", { json: { operation_id: "o-1" }, sent });
const right = {
  operation_id: "o-1",
  currency_pair: "USDBRL",
  foreign_currency_amount: 10.5,
  counterparty_id: "c-1",
};

function listed(operation: Json): Exchange {
  return exchangeOf("listBatches", {
    json: { batches: [{ id: "b-1", operations: [operation] }], count: 1, total: 1 },
  });
}

describe("an operation in a batch (INT-51)", () => {
  test.each<[string, readonly Exchange[], Json, readonly string[]]>([
    ["is what it was created as", [created], right, ["BATCH-36 holds"]],
    ["may leave members out", [created], { operation_id: "o-1" }, []],
    [
      "of another type is another mistake",
      [created],
      { ...right, foreign_currency_amount: "10.5" },
      ["BATCH-36 holds"],
    ],
    ["of an exempt request is not judged", [{ ...created, exemptBy: "INT-41" }], right, []],
    [
      "that shares its id with another is not judged",
      [
        created,
        exchangeOf("createOperation", {
          json: { operation_id: "o-1" },
          sent: { ...sent, currency_amount: 9 },
        }),
      ],
      { ...right, foreign_currency_amount: 7 },
      [],
    ],
  ])("%s", (_, creations, operation, wanted) =>
    expect(saidAfter(batchedOperations, creations, listed(operation))).toEqual(wanted),
  );

  test("that no batch shows leaves the requirement open", () => {
    const rule = batchedOperations.create(nothingKnown());
    expect(rule.unmet?.()).toEqual([
      expect.objectContaining({ requirement: "BATCH-36", gap: "batched operations" }),
    ]);
  });
});

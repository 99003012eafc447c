import { describe, expect, test } from "vitest";
import type { Exchange } from "../../../model/exchange.ts";
import type { Json } from "../../../spec/json.ts";
import { exchangeOf } from "../../../model/testing/exchanges.ts";
import { nothingKnown, saidAfter } from "../../testing/judgements.ts";
import { batchList } from "./batch-list.ts";

function created(id: Json, currency_pair: string, at = 0): Exchange {
  return exchangeOf("createBatch", { json: { id }, sent: { currency_pair }, at });
}

function list(
  at: number,
  batches: readonly Json[],
  more: object = {},
  headers: Exchange["response"]["headers"] = [],
) {
  return exchangeOf("listBatches", {
    at,
    headers,
    json: { batches, count: batches.length, total: batches.length, ...more },
  });
}

const usd = { id: "b-1", currency_pair: "USDBRL" };
const late = 10_000;

describe("a created batch in the list (INT-27, INT-29)", () => {
  const one = [created("b-1", "USDBRL")];
  const cursor =
    "a created batch is not in the list, and the list has member next, which may lead to more";
  const nine = Array.from({ length: 9 }, (_, index) => ({ id: `${index}` }));

  test.each<[string, readonly Exchange[], Exchange, readonly string[]]>([
    ["is there, with its pair", one, list(late, [usd]), ["BATCH-27 holds", "BATCH-24 holds"]],
    [
      "has the pair that it was created with",
      one,
      list(9, [{ ...usd, currency_pair: "X" }]),
      ['BATCH-27 /batches/0/currency_pair = "X"', "BATCH-24 holds"],
    ],
    [
      "of no pair",
      [exchangeOf("createBatch", { json: { id: "b-1" }, sent: {} })],
      list(9, [usd]),
      ["BATCH-24 holds"],
    ],
    ["without a pair in the list", one, list(9, [{ id: "b-1" }]), ["BATCH-24 holds"]],
    ["with an empty id is not looked for", [created("", "USDBRL")], list(late, []), []],
    [
      "may be behind a cursor",
      one,
      list(late, nine, { next: null }),
      [expect.stringContaining(cursor) as string],
    ],
  ])("%s", (_, creations, of, wanted) =>
    expect(saidAfter(batchList, creations, of)).toEqual(wanted),
  );
});

/** The reason why BATCH-27 has no verdict after a batch was created and a list was shown. */
function withoutPair(batches: readonly Json[], more: object = {}) {
  const rule = batchList.create(nothingKnown());
  const shown = exchangeOf("listBatches", {
    json: { batches, count: 0, total: 0, ...more } as Json,
  });
  for (const exchange of [created("b-1", "USDBRL"), shown]) {
    rule.learn?.(exchange);
    rule.judge(exchange);
  }
  const [, { noVerdict, gap } = { noVerdict: "", gap: undefined }] = rule.unmet?.() ?? [];
  return [noVerdict, gap];
}

test("the reason without a pair to compare is what the list left out (INT-57)", () => {
  expect(withoutPair([{ operations: [] }])).toEqual([
    expect.stringContaining("have no id"),
    "optional member",
  ]);
  expect(withoutPair([{ id: "b-1" }])).toEqual([
    expect.stringContaining("show no currency_pair"),
    "optional member",
  ]);
  expect(withoutPair([], { total: 7 })).toEqual([
    expect.stringContaining("one page of more"),
    "whole list",
  ]);
  expect(withoutPair([])).toEqual([
    expect.stringContaining("(BATCH-24): fix that first"),
    undefined,
  ]);
});

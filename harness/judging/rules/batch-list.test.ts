import { expect, test } from "vitest";
import type { Exchange } from "../../../model/exchange.ts";
import type { Json } from "../../../spec/json.ts";
import { exchangeOf } from "../../../model/testing/exchanges.ts";
import { nothingKnown, saidAfter, shortLineOf } from "../../testing/judgements.ts";
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
const containing = (text: string): string => expect.stringMatching(`^BATCH-24 .*${text}`) as string;

const one = [created("b-1", "USDBRL")];
const nine = Array.from({ length: 9 }, (_, index) => ({ id: `${index}` }));

test.each<[string, readonly Exchange[], Exchange, readonly string[]]>([
  ["is there", one, list(late, [usd]), ["BATCH-24 holds"]],
  [
    "may be one that has no id",
    one,
    list(late, [{ currency_pair: "USDBRL" }]),
    [containing("1 of the 1 batches shown have no id")],
  ],
  ["with an empty id is not looked for", [created("", "USDBRL")], list(late, []), []],
  [
    "may be behind a cursor",
    one,
    list(late, nine, { next: null }),
    [containing("it has member next")],
  ],
])("a created batch in the list %s (INT-27, INT-29)", (_, creations, of, wanted) =>
  expect(saidAfter(batchList, creations, of)).toEqual(wanted),
);

test("a batch that a list showed need not be listed again, and others may be gone too (INT-54)", () => {
  const { judge, learn } = batchList.create(nothingKnown());
  judge(list(50, [usd]));
  learn?.(created("b-1", "USDBRL"));
  expect(judge(list(late, []))).toEqual([]);
  learn?.(created("b-2", "USDBRL"));
  expect(judge(list(late, [])).map(shortLineOf)).toEqual([containing("no longer shows")]);
});

import { describe, expect, test } from "vitest";
import type { Exchange } from "../../model/exchange.ts";
import { batch, exchangeOf } from "../../model/testing/exchanges.ts";
import { requirementIds, requirementOf, type RequirementId } from "../../spec/catalogue.ts";
import type { Json } from "../../spec/json.ts";
import { mayLack, needsOf } from "../../spec/needs.ts";
import { nothingKnown } from "../testing/judgements.ts";
import { createJudging } from "./judge.ts";
import type { Limits } from "./unmet.ts";

/** The first need of a requirement that these exchanges do not meet. */
function unmetAfter(exchanges: readonly Exchange[], id: RequirementId, limits: Limits = {}) {
  const { judge, firstUnmet } = createJudging(nothingKnown());
  for (const exchange of exchanges) judge(exchange);
  return firstUnmet(id, limits);
}

const list = (...batches: readonly Json[]): Exchange =>
  exchangeOf("listBatches", { json: { batches, count: 0, total: 0 } });
const empty = { ...batch, operations: [] };
const page = exchangeOf("listBatches", { body: "<html>" });
const isSmoke = true;
const chain = [
  ...(["createCounterparty", "createOperation", "addAcamItem"] as const).map((name) =>
    exchangeOf(name),
  ),
  exchangeOf("createBatch", { json: empty }),
];
const others = { id: "of others", operations: [{ operation_id: "of others" }] };
const both = [...chain, list(others)];
const batches = ["USDBRL", "EURBRL"].map((pair) =>
  exchangeOf("createBatch", { json: { id: pair }, sent: { currency_pair: pair } }),
);
const refused = exchangeOf("createCounterparty", { status: 422, json: { message: "no" } });
const refusedPair = exchangeOf("createBatch", {
  status: 422,
  json: { message: "no" },
  sent: { currency_pair: "EURBRL" },
});
const odd = { ...refused, exemptBy: "INT-38" } as const;
const without = (...members: readonly string[]): Exchange =>
  exchangeOf("createCounterparty", { json: { id: members.join() } });

const cases: readonly (readonly [RequirementId, string, readonly Exchange[], Limits?])[] = [
  ["OPER-20", "no success", []],
  ["OPER-20", "a success before it", chain.slice(0, 1)],
  ["BATCH-20", "a page", [page]],
  ["ACAM-01", "no body", [...chain.slice(0, 2), exchangeOf("addAcamItem", { body: "" })]],
  ["CPTY-12", "no error that can be read", [{ ...refused, json: { error: 1 } }]],
  ["CPTY-12", "exempt refusals", [odd]],
  ["CPTY-06", "a member left out", [without("a")]],
  ["CPTY-10", "one success", chain],
  ["CPTY-10", "a refusal", [...chain, refused]],
  ["BATCH-06", "one pair", [...batches.slice(0, 1)]],
  ["BATCH-06", "a refusal of the second pair", [...batches.slice(0, 1), refusedPair]],
  ["BATCH-07", "two pairs", batches],
  ["BATCH-23", "no batch in the list", [list()]],
  ["BATCH-35", "empty batches", [list(empty)]],
  ["BATCH-37", "batches of others", both],
  ["BATCH-36", "operations of others", both],
  ["BATCH-07", "two batches, one in flight", batches, { concurrency: 1, isPutOff: () => true }],
  ["BATCH-07", "two batches, two in flight", batches, { concurrency: 2 }],
  ["BATCH-07", "two batches, many put off", batches, { isPutOff: () => true, rate: 3 }],
  ["BATCH-07", "two batches, few a second", batches, { concurrency: 8, rate: 3 }],
];

describe("the first need that a run did not meet", () => {
  test("is said with what mends it", async () => {
    const lines = cases.map(([id, after, exchanges, limits]) => {
      const { reason, gap = "-", blockedAt = "-" } = unmetAfter(exchanges, id, limits) ?? {};
      return `${id} after ${after}: ${reason} | ${gap} | ${blockedAt}`;
    });
    await expect(lines.join("\n")).toMatchFileSnapshot("../testing/unmet.golden");
  });

  test("is one and the same for an empty list in a smoke run, and advises no pairs", () => {
    const ids = ["BATCH-06", "BATCH-09", "BATCH-23", "BATCH-30", "BATCH-35", "BATCH-42"] as const;
    const reasons = new Set(ids.map((id) => unmetAfter([list()], id, { isSmoke })?.reason));
    expect([...reasons]).toEqual([
      "GET /batches never showed a batch, which may be on another page",
    ]);
  });
});

test("every gap of a need that is found is one that the row allows, and every need has a place", () => {
  for (const id of requirementIds) {
    const kinds = needsOf(id).map(({ kind }) => kind);
    expect(kinds, id).toEqual(expect.arrayContaining([...requirementOf(id).takes]));
    for (const exchanges of [[], chain, both, [...both, ...batches]]) {
      const gap = unmetAfter(exchanges, id)?.gap;
      expect(gap === undefined || mayLack(id, gap), `${id} ${gap}`).toBe(true);
    }
  }
});

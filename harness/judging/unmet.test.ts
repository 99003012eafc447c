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

describe("the first need that a run did not meet", () => {
  test.each<
    [
      RequirementId,
      string,
      readonly Exchange[],
      words: string,
      gap?: string | undefined,
      at?: string,
    ]
  >([
    [
      "OPER-20",
      "no success",
      [],
      "POST /customers/{customer_id}/counterparty never answered a valid",
      undefined,
      "createCounterparty",
    ],
    [
      "OPER-20",
      "a success before it",
      chain.slice(0, 1),
      "POST /corporate/operation never answered a valid",
      undefined,
      "createOperation",
    ],
    [
      "BATCH-20",
      "a page",
      [page],
      "never succeeded with a readable body (HTTP-02): fix that first",
      undefined,
      "listBatches",
    ],
    [
      "ACAM-01",
      "no body",
      [...chain.slice(0, 2), exchangeOf("addAcamItem", { body: "" })],
      "readable body (HTTP-06): fix that first",
      undefined,
      "addAcamItem",
    ],
    [
      "CPTY-12",
      "no error that can be read",
      [{ ...refused, json: { error: 1 } }],
      "never refused with a readable body (CPTY-12)",
      undefined,
      "createCounterparty",
    ],
    [
      "CPTY-12",
      "exempt refusals",
      [odd],
      "the one response that could show it",
      undefined,
      "createCounterparty",
    ],
    [
      "CPTY-06",
      "a member left out",
      [without("a")],
      "showed external_id with a value that can be judged",
      "optional member",
    ],
    [
      "CPTY-10",
      "one success",
      chain,
      "never created two different counterparties",
      undefined,
      "createCounterparty",
    ],
    [
      "CPTY-10",
      "a refusal",
      [...chain, refused],
      "never created two different counterparties",
      "refusal",
      "createCounterparty",
    ],
    [
      "BATCH-06",
      "one pair",
      [batches[0] as Exchange],
      "takes two pairs (--currency-pairs)",
      "second pair",
      "createBatch",
    ],
    [
      "BATCH-06",
      "a refusal of the second pair",
      [batches[0] as Exchange, refusedPair],
      "takes two pairs (--currency-pairs)",
      "refusal",
      "createBatch",
    ],
    [
      "BATCH-07",
      "two pairs",
      batches,
      "a server that handles two such requests at once",
      "concurrency",
      "createBatch",
    ],
    [
      "BATCH-23",
      "no batch in the list",
      [list()],
      "may be on another page",
      "whole list",
      "createBatch",
    ],
    [
      "BATCH-35",
      "empty batches",
      [list(empty)],
      "all batches seen were empty",
      "batched operations",
      "createOperation",
    ],
    ["BATCH-37", "batches of others", both, "never showed a batch of this run", "whole list"],
    [
      "BATCH-36",
      "operations of others",
      both,
      "no batch showed an operation of this run",
      "batched operations",
      "createOperation",
    ],
  ])("%s after %s", (id, _, exchanges, words, gap, blockedAt) => {
    const lack = unmetAfter(exchanges, id);
    expect(lack?.reason).toContain(words);
    expect([lack?.gap, lack?.blockedAt]).toEqual([gap, blockedAt]);
  });

  test("is one and the same for an empty list in a smoke run, and advises no pairs", () => {
    const ids = ["BATCH-06", "BATCH-09", "BATCH-23", "BATCH-30", "BATCH-35", "BATCH-42"] as const;
    const reasons = new Set(ids.map((id) => unmetAfter([list()], id, { isSmoke })?.reason));
    expect([...reasons]).toEqual([
      "GET /batches never showed a batch, which may be on another page",
    ]);
  });

  test.each<[string, Limits, string]>([
    ["the user allows one in flight", { concurrency: 1, isPutOff: () => true }, "--concurrency 2"],
    ["the server puts them off", { isPutOff: () => true, rate: 3 }, "Raise the server's limit"],
    ["the server handles one at a time", { concurrency: 2 }, "two such requests at once"],
    ["the user allows few a second", { concurrency: 8, rate: 3 }, "more than --rate 3 allows"],
  ])("of two at once, if %s", (_, limits, words) => {
    expect(unmetAfter(batches, "BATCH-07", limits)?.reason).toContain(words);
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

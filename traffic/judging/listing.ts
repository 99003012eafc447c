import { isSuccess, memberOf, type Exchange, type Json } from "../../model/exchange.ts";
import type { Judgement } from "../../model/finding.ts";
import { broken, holds, shown } from "../../harness/judging/rules/rule.ts";
import type { Identities } from "../../harness/judging/identities.ts";
import { cursorsOf } from "../../harness/judging/standing-observations.ts";
import { operationTitle } from "../../spec/operations.ts";
import type { Facts } from "./facts.ts";

/** Milliseconds after its creation from which, and up to which, a batch must be in the list. */
const window = { from: 5_000, to: 60_000 } as const;

/** A list of this many batches may be a page. */
const leastPage = 10;

/** Judges whether a created batch is listed, with the pair that it was created with (INT-27, INT-29, INT-33). */
export const judgeListing = (
  exchange: Exchange,
  startedAt: number,
  facts: Facts,
  identities: Identities,
): readonly Judgement[] => {
  if (exchange.operation !== "listBatches" || !isSuccess(exchange) || exchange.intent.kind !== "valid") return [];
  const batches = memberOf(exchange.json, "batches");
  if (!Array.isArray(batches)) return [];
  const list = batches as readonly Json[];
  return [...judgePairs(exchange, list, identities), ...judgeAppearance(exchange, list, startedAt, facts)];
};

const judgePairs = (exchange: Exchange, list: readonly Json[], identities: Identities): readonly Judgement[] => {
  let isKnown = false;
  for (const [index, batch] of list.entries()) {
    const [id, pair] = [memberOf(batch, "id"), memberOf(batch, "currency_pair")];
    if (typeof id !== "string" || typeof pair !== "string" || !identities.known("batch", id)) continue;
    isKnown = true;
    const before = identities.clash("batch", id, JSON.stringify(pair));
    // The pair of a batch that was created without one is unknown.
    if (before === undefined || before === "null") continue;
    return [
      broken("BATCH-27", {
        message: `${operationTitle("listBatches")}: a batch has another currency_pair than it was created with.`,
        expected: `/batches/${index}/currency_pair = ${before}`,
        actual: `/batches/${index}/currency_pair = ${shown(pair)}`,
        pointer: `/batches/${index}/currency_pair`,
        cause: { expected: "/batches/*/currency_pair as created", actual: "another pair" },
      }),
    ];
  }
  return isKnown ? [holds("BATCH-27")] : [];
};

const judgeAppearance = (
  exchange: Exchange,
  list: readonly Json[],
  startedAt: number,
  facts: Facts,
): readonly Judgement[] => {
  const ids = new Set(list.map((batch) => memberOf(batch, "id")));
  // A list need not name its batches.
  if (ids.has(undefined)) return [];
  const due = facts.batchesOf(startedAt - window.to, startedAt - window.from);
  if (due.length === 0) return [];
  const missing = due.find(({ id }) => !ids.has(id));
  if (missing === undefined) return [holds("BATCH-24")];
  const isWhole =
    list.length < leastPage &&
    ["count", "total"].every((name) => Number(memberOf(exchange.json, name) ?? 0) <= list.length) &&
    cursorsOf(exchange).length === 0 &&
    new URL(exchange.request.url).search === "";
  if (!isWhole) return [];
  return [
    broken("BATCH-24", {
      message: `${operationTitle("listBatches")}: a created batch is not listed.`,
      expected: `a batch with the id ${shown(missing.id)}`,
      actual: `${list.length} batches, without it, ${Math.round((startedAt - missing.createdAt) / 1000)} s after its creation`,
      pointer: "/batches",
      cause: { expected: "the created batch is listed", actual: "it is not" },
    }),
  ];
};

import { expect, test } from "vitest";
import { settings } from "../../../model/testing/target.ts";
import { batch, exchangeOf } from "../../../model/testing/exchanges.ts";
import type { Exchange } from "../../../model/exchange.ts";
import type { RequirementId } from "../../../spec/catalogue.ts";
import { explainGaps } from "./repetition.ts";
import type { RunContext } from "../../../suites/run/context.ts";
import { createJudging } from "../../../harness/judging/judge.ts";
import { nothingKnown } from "../../../harness/testing/judgements.ts";

function explained(
  exchanges: readonly Exchange[],
  selection: readonly RequirementId[],
): readonly string[] {
  const judging = createJudging(nothingKnown());
  for (const exchange of exchanges) judging.judge(exchange);
  const reasons: string[] = [];
  const recorder = {
    inconclusive: (id: string, reason: string) => void reasons.push(`${id}: ${reason}`),
    isExplained: (id: string) => reasons.some((reason) => reason.startsWith(id)),
  };
  explainGaps({
    recorder: recorder as unknown as RunContext["recorder"],
    sender: {
      unmet: judging.unmet,
      openForms: () => [],
      leftOut: () => [],
    } as unknown as RunContext["sender"],
    settings: { ...settings, selection },
    signal: new AbortController().signal,
  });
  return reasons;
}

function listOf(...batches: readonly (typeof batch)[]) {
  return exchangeOf("listBatches", { json: { batches, count: 0, total: 0 } });
}
const empty = { ...batch, operations: [] };

test("batches without an operation say nothing of operations in batches", () => {
  expect(explained([listOf(), listOf(empty)], ["BATCH-35", "BATCH-20"])).toEqual([
    expect.stringMatching(/^BATCH-35: all batches seen were empty.*batchMembers/),
  ]);
  expect(explained([listOf()], ["BATCH-35"])).toEqual([
    "BATCH-35: GET /batches never showed a batch, which may be on another page",
  ]);
  expect(explained([listOf(empty), listOf(batch)], ["BATCH-35"])).toEqual([]);
  expect(explained([listOf(empty), exchangeOf("createBatch")], ["BATCH-35"])).toEqual([]);
});

test("what kept every success from being read is what to fix first", () => {
  const page = exchangeOf("listBatches", { body: "<html>" });
  expect(explained([page], ["BATCH-20", "HTTP-02", "BATCH-24", "OPER-02"])).toContain(
    "BATCH-20: GET /batches never succeeded with a readable body (HTTP-02): fix that first",
  );
  expect(explained([exchangeOf("addAcamItem", { body: "" })], ["ACAM-01", "ACAM-06"])).toEqual([
    "ACAM-01: POST /corporate/operation/{operation_id}/acam never succeeded with a readable body (HTTP-06): fix that first",
  ]);
  expect(explained([page, listOf(batch)], ["BATCH-20"])).toEqual([]);
});

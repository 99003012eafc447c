import { expect, test } from "vitest";
import type { RepeatableFinding, Repetition } from "../../../model/evidence/findings.ts";
import { batch, exchangeOf } from "../../../model/testing/exchanges.ts";
import { type Exchange, isSuccess } from "../../../model/exchange.ts";
import { type RequestSpec, valid } from "../../../model/request.ts";
import { explainGaps, repeatFindings } from "./repetition.ts";
import { settings } from "../../../model/testing/target.ts";
import type { RequirementId } from "../../../spec/catalogue.ts";
import type { RunContext } from "../../../suites/run/context.ts";
import { createJudging } from "../../../harness/judging/judge.ts";
import { nothingKnown } from "../../../harness/testing/judgements.ts";

/** What is said of findings if the target refuses the requests that `refuses` names. */
async function repeated(
  findings: readonly Omit<RepeatableFinding, "origin" | "key">[],
  refuses: (n: number) => boolean,
  concurrency = 8,
) {
  const said: string[] = [];
  let sent = 0;
  const origin = { id: "a", name: "a" };
  await repeatFindings({
    recorder: {
      repeatable: () =>
        findings.map((finding, index) => ({ ...finding, key: String(index), origin })),
      repeated: (_: RepeatableFinding, { text, alone }: Repetition) =>
        void said.push(alone === undefined ? text : `${text}, alone ${alone}`),
    },
    settings: { concurrency },
    sender: {
      specOf: ({ operation, intent }: Exchange): RequestSpec => ({ operation, intent }),
      violationsOf: ({ response }: Exchange) =>
        response.status === 500
          ? [{ requirement: "HTTP-04", violation: { message: "", expected: "", actual: "" } }]
          : [],
      send: async ({ operation }: RequestSpec) => {
        sent += 1;
        if (refuses(sent)) return exchangeOf(operation, { status: 415, json: { message: "no" } });
        return exchangeOf(operation);
      },
    },
  } as unknown as Parameters<typeof repeatFindings>[0]);
  return { said, sent };
}

const refused = exchangeOf("createToken", { status: 415, json: { message: "no" }, intent: valid });
const tokenCall = {
  requirement: "AUTH-03",
  exchange: refused,
  again: (other: Exchange) => !isSuccess(other),
} as const;

test("a fault that shows now and then says how often", async () => {
  expect((await repeated([tokenCall], (n) => n === 1)).said).toEqual(["2 of 3"]);
  expect((await repeated([tokenCall], () => false)).said).toEqual(["1 of 3"]);
});

test("a finding of a standing check is judged by it", async () => {
  const unreadable = exchangeOf("createBatch", { type: "text/html" });
  expect(await repeated([{ requirement: "HTTP-01", exchange: unreadable }], () => true)).toEqual({
    said: ["1 of 3"],
    sent: 2,
  });
});

test("a crash that does not show when the request is sent alone says what came instead, before other findings", async () => {
  const crash = {
    requirement: "HTTP-04",
    exchange: exchangeOf("createBatch", { status: 500 }),
  } as const;
  expect((await repeated([tokenCall, crash], () => true)).said).toEqual([
    "1 of 3, alone 415",
    "3 of 3",
  ]);
  expect((await repeated([crash], () => false, 1)).said).toEqual(["1 of 3"]);
});

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

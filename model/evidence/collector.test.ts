import { describe, expect, test } from "vitest";
import type { Evidence } from "./messages.ts";
import type { RecordedExchange } from "../run.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { questions } from "../../spec/questions.ts";
import { createCollector } from "./collector.ts";

const collected = (...evidence: readonly Evidence[]) => {
  const collector = createCollector();
  collector.take(evidence);
  return collector.collection();
};

const response = { type: "response", operation: "listBatches", status: 200, took: 1 } as const;
const sent = { type: "sent", operation: "listBatches", kind: "valid" } as const;
const planned = { type: "planned", scenarios: 2, operations: [] } as const;
const broken = (requirement: RequirementId, key: string): Evidence => ({
  ...{ type: "violated", requirement, key },
  finding: { message: "m", expected: "e", actual: "a", scenario: "s", curl: "" },
});

test("an exchange is kept once, with all that it violates, in order", () => {
  const exchange = (id: number, violates: readonly RequirementId[] = []): Evidence => {
    const kept: RecordedExchange = {
      ...{ id, operation: "listBatches", scenario: "s", violates, intent: "valid" },
      ...{ startedAt: "2026-01-02T03:04:05.000Z", at: 0, waited: 0, took: 0 },
      request: { method: "GET", url: "u", headers: [], bodyBytes: 0 },
    };
    return { type: "exchange", exchange: kept };
  };
  const { exchanges } = collected(exchange(7, ["OPER-01"]), exchange(3), exchange(7, ["OPER-02", "OPER-01"]));
  expect(exchanges.map(({ id, violates }) => [id, violates])).toEqual([
    [3, []],
    [7, ["OPER-01", "OPER-02"]],
  ]);
});

describe("answers to open questions", () => {
  const seen = (question: "OPEN-01" | "OPEN-03", inCase: string, answer: string): Evidence => ({
    ...{ type: "answer", question, case: inCase, answer },
  });

  test("are counted: the most frequent first, in the order of the questions", () => {
    const given = [..."bacc"].map((answer) => seen("OPEN-01", "any", answer));
    expect(collected(seen("OPEN-03", "any", "open"), ...given).observations).toEqual([
      {
        id: "OPEN-01",
        question: questions["OPEN-01"].question,
        answers: [
          { case: "any", answer: "c", count: 2 },
          { case: "any", answer: "a", count: 1 },
          { case: "any", answer: "b", count: 1 },
        ],
      },
      { id: "OPEN-03", question: questions["OPEN-03"].question, answers: [{ case: "any", answer: "open", count: 1 }] },
    ]);
  });

  test("have bounds, beyond which the known ones go on being counted, and a warning says so once", () => {
    const many = Array.from({ length: 1200 }, (_, n) => seen("OPEN-01", "any", `s${n}`));
    const { observations, warnings } = collected(...many, seen("OPEN-01", "any", "s0"));
    expect(observations[0]?.answers).toHaveLength(1000);
    expect(observations[0]?.answers[0]).toEqual({ case: "any", answer: "s0", count: 2 });
    expect(warnings).toEqual(["OPEN-01: more different answers were observed than a report holds."]);
  });
});

test("latency and what was created are bounded, and their counts are whole", () => {
  const created = (id: number): Evidence => ({ ...response, created: { kind: "batch", id: `${id}` } });
  const many = collected(sent, ...Array.from({ length: 6000 }, (_, id) => created(id)));
  expect(many.latency.map(({ count, histogram }) => [count, histogram])).toEqual([[6000, [[1, 6000]]]]);
  expect([many.created.length, many.createdCounts, many.requests]).toEqual([1000, { batch: 6000 }, 1]);
  expect(many.created[0]).toEqual({ kind: "batch", id: "0" });
  expect(many.sent).toEqual([{ operation: "listBatches", kind: "valid", count: 1 }]);
});

test("what came without a usable id is counted, and listed nowhere", () => {
  const without: Evidence = { ...response, created: { kind: "operation" } };
  const { created, createdCounts, createdWithoutId } = collected(without, without, {
    ...response,
    created: { kind: "operation", id: "o-1" },
  });
  expect([created, createdCounts, createdWithoutId]).toEqual([[{ kind: "operation", id: "o-1" }], { operation: 3 }, 2]);
});

test("progress: what a run waits for is gone with the next response", () => {
  const collector = createCollector();
  expect(collector.progress()).toEqual({ requests: 0, scenariosDone: 0, scenarios: 0, failing: 0 });
  collector.take([planned, { type: "done", requirements: ["OPER-01"], took: 12 }, sent, sent]);
  collector.take([broken("OPER-01", "a"), broken("OPER-01", "b"), broken("OPER-02", "c")]);
  collector.take([{ type: "waiting", text: "429 from the target" }]);
  const now = { requests: 2, scenariosDone: 1, scenarios: 2, failing: 2 };
  expect(collector.progress()).toEqual({ ...now, waiting: "429 from the target" });
  collector.take([response]);
  expect(collector.progress()).toEqual(now);
});

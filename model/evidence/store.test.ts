import { describe, expect, test } from "vitest";
import type { Message, ProgressMessage, ResponseCount } from "./messages.ts";
import { createProgress } from "./progress.ts";
import type { Finding, RecordedExchange } from "../run.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { questions } from "../../spec/questions.ts";
import { createStore } from "./store.ts";
import { findingOf } from "../testing/rows.ts";

function collected(...evidence: readonly Message[]) {
  const store = createStore();
  store.take(evidence);
  return store.draft();
}

function response(more: Partial<ResponseCount> = {}): Message {
  return {
    type: "exchange",
    counted: { operation: "listBatches", took: 1, ...more },
  };
}
const sent = { operation: "listBatches", kind: "valid" } as const;
function progress(more: Partial<ProgressMessage>): ProgressMessage {
  return {
    ...createProgress().now(),
    ...more,
  };
}
function broken(requirement: RequirementId, key: string): Message {
  return {
    type: "judgement",
    broken: { requirement, key, finding: findingOf() },
  };
}

test("an exchange is kept once, with all that it violates, in order", () => {
  const exchange = (id: number, violates: readonly RequirementId[] = []): Message => {
    const kept: RecordedExchange = {
      id,
      operation: "listBatches",
      scenario: "s",
      violates,
      intent: "valid",
      startedAt: "2026-01-02T03:04:05.000Z",
      at: 0,
      waited: 0,
      took: 0,
      request: { method: "GET", url: "u", headers: [], bodyBytes: 0 },
    };
    return { type: "exchange", kept };
  };
  const { exchanges } = collected(
    exchange(7, ["OPER-01"]),
    exchange(3),
    exchange(7, ["OPER-02", "OPER-01"]),
  );
  expect(exchanges.map(({ id, violates }) => [id, violates])).toEqual([
    [3, []],
    [7, ["OPER-01", "OPER-02"]],
  ]);
});

describe("answers to open questions", () => {
  const seen = (question: "OPEN-01" | "OPEN-03", inCase: string, answer: string): Message => ({
    type: "observation",
    question,
    case: inCase,
    answer,
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
      {
        id: "OPEN-03",
        question: questions["OPEN-03"].question,
        answers: [{ case: "any", answer: "open", count: 1 }],
      },
    ]);
  });

  test("have bounds, beyond which the known ones go on being counted, and a warning says so once", () => {
    const many = Array.from({ length: 1200 }, (_, n) => seen("OPEN-01", "any", `s${n}`));
    const { observations, warnings } = collected(...many, seen("OPEN-01", "any", "s0"));
    expect(observations[0]?.answers).toHaveLength(1000);
    expect(observations[0]?.answers[0]).toEqual({ case: "any", answer: "s0", count: 2 });
    expect(warnings).toEqual([
      "OPEN-01: more different answers were observed than a report holds.",
    ]);
  });
});

test("latency and what was created are bounded, and their counts are whole", () => {
  const created = (id: number): Message => response({ created: { kind: "batch", id: `${id}` } });
  const many = collected(
    progress({ sent: [{ ...sent, count: 1 }] }),
    ...Array.from({ length: 6000 }, (_, id) => created(id)),
  );
  expect(many.latency.map(({ count, histogram }) => [count, histogram])).toEqual([
    [6000, [[1, 6000]]],
  ]);
  expect([many.created.length, many.createdCounts, many.requests]).toEqual([
    1000,
    { batch: 6000 },
    1,
  ]);
  expect(many.created[0]).toEqual({ kind: "batch", id: "0" });
  expect(many.sent).toEqual([{ operation: "listBatches", kind: "valid", count: 1 }]);
});

test("what came without a usable id is counted, and listed nowhere", () => {
  const without = response({ created: { kind: "operation" } });
  const { created, createdCounts, createdWithoutId } = collected(
    without,
    without,
    response({ created: { kind: "operation", id: "o-1" } }),
  );
  expect([created, createdCounts, createdWithoutId]).toEqual([
    [{ kind: "operation", id: "o-1" }],
    { operation: 3 },
    2,
  ]);
});

test("progress: the last one counts, and what a run waits for is gone with the next response", () => {
  const store = createStore();
  const counters = createProgress();
  expect(store.progress()).toEqual({ requests: 0, scenariosDone: 0, scenarios: 0, failing: 0 });
  counters.plan(2, []);
  counters.ends(["OPER-01"], 12);
  for (const _ of [1, 2]) counters.sends("listBatches", "valid");
  counters.waits("429 from the target");
  store.take([
    broken("OPER-01", "a"),
    broken("OPER-01", "b"),
    broken("OPER-02", "c"),
    counters.now(),
  ]);
  const now = { requests: 2, scenariosDone: 1, scenarios: 2, failing: 2 };
  expect(store.progress()).toEqual({ ...now, waiting: "429 from the target" });
  counters.responded();
  store.take([counters.now()]);
  expect(store.progress()).toEqual(now);
});

describe("judgements", () => {
  const finding = findingOf();
  const brokenAgain = (key: string): Message => ({
    type: "judgement",
    broken: { requirement: "OPER-01", key },
  });
  const holds: Message = { type: "judgement", holds: ["OPER-01"] };
  const found = (key: string, more: Partial<Finding> = {}, isUpdate?: true): Message => ({
    type: "judgement",
    broken: {
      requirement: "OPER-01",
      key,
      finding: { ...finding, ...more },
      ...(isUpdate && { isUpdate }),
    },
  });
  const judgedBy = (...messages: readonly Message[]) =>
    collected(...messages).judged.get("OPER-01");
  const shownIn = (judged: ReturnType<typeof judgedBy>) =>
    judged?.findings.map(({ actual, occurrences }) => [actual, occurrences]);

  test("are counted, and so is each finding; a smaller example takes its place", () => {
    const judged = judgedBy(
      holds,
      found("a", { actual: "large" }),
      found("b"),
      brokenAgain("a"),
      holds,
    );
    expect(judged).toEqual({
      asked: 5,
      findings: [
        { ...finding, actual: "large", occurrences: 2 },
        expect.objectContaining({ occurrences: 1 }),
      ],
      inconclusive: [],
    });
    const smaller = judgedBy(
      found("a", { actual: "large" }),
      found("b"),
      found("a", { actual: "small" }),
    );
    expect(shownIn(smaller)).toEqual([
      ["small", 2],
      ["a", 1],
    ]);
  });

  test("an update says more of a finding, and counts nothing", () => {
    const judged = judgedBy(found("a"), brokenAgain("a"), found("a", { actual: "more" }, true));
    expect([judged?.asked, shownIn(judged)]).toEqual([2, [["more", 2]]]);
  });
});

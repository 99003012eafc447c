import { describe, expect, test, vi } from "vitest";
import type { Evidence, FoundViolation, RecordedExchange, TimingRow } from "../model/evidence.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import { questions } from "../spec/questions.ts";
import { createCollector } from "./collector.ts";

const collected = (...evidence: readonly Evidence[]) => {
  const collector = createCollector(() => undefined);
  collector.take(evidence);
  return collector.collection();
};

const finding = (
  key: string,
  requirement: RequirementId,
  actual = "a",
  cause?: NonNullable<FoundViolation["cause"]>,
): Evidence => {
  const found: FoundViolation = { key, requirement, message: "m", expected: "e", actual, scenario: "s", curl: "" };
  return { type: "finding", finding: { ...found, ...(cause && { cause }) } };
};

const exchange = (id: number, violates: readonly RequirementId[] = []): Evidence => {
  const kept: RecordedExchange = {
    ...{ id, operation: "listBatches", scenario: "s", violates, intent: "valid" },
    ...{ startedAt: "2026-01-02T03:04:05.000Z", at: 0, waited: 0, took: 0 },
    request: { method: "GET", url: "u", headers: [], bodyBytes: 0 },
  };
  return { type: "exchange", exchange: kept };
};

const row: TimingRow = ["listBatches", 1, 200];

describe("evidence adds up", () => {
  test("how often a requirement was judged, and how often a cause was met at last", () => {
    const { judged, occurrences } = collected(
      { type: "judged", counts: { "OPER-01": 2, "OPER-02": 1 } },
      { type: "judged", counts: { "OPER-01": 3 } },
      { type: "occurrences", counts: { a: 1, b: 1 } },
      { type: "occurrences", counts: { a: 5 } },
    );
    expect(Object.fromEntries(judged)).toEqual({ "OPER-01": 5, "OPER-02": 1 });
    expect(Object.fromEntries(occurrences)).toEqual({ a: 5, b: 1 });
  });

  test("a finding of the same cause takes the place of the first", () => {
    const { findings } = collected(
      finding("a", "OPER-01", "large"),
      finding("b", "OPER-01"),
      finding("a", "OPER-01", "small"),
    );
    expect(findings.map(({ key, actual }) => `${key} ${actual}`)).toEqual(["a small", "b a"]);
  });

  test("the scenarios in which a requirement held, and the first exchange that shows it", () => {
    const held = (scenario: string, exchange?: number): Evidence => ({
      type: "held",
      requirement: "OPER-01",
      scenario,
      ...(exchange === undefined ? {} : { exchange }),
    });
    expect(collected(held("a"), held("b", 7), held("a", 9)).held.get("OPER-01")).toEqual({
      scenarios: ["a", "b"],
      sample: 7,
    });
    const many = Array.from({ length: 40 }, (_, index) => held(`scenario ${index}`));
    expect(collected(...many).held.get("OPER-01")?.scenarios).toHaveLength(12);
  });

  test("how often a fault repeated goes with its finding", () => {
    const { findings } = collected(
      { type: "repeated", key: "b", text: "2 of 3" },
      finding("a", "OPER-01"),
      finding("b", "OPER-01"),
      { type: "repeated", key: "c", text: "1 of 3" },
    );
    expect(findings.map(({ key, repeated }) => `${key} ${repeated}`)).toEqual(["a undefined", "b 2 of 3"]);
  });

  test("a crash that the request alone did not cause says so, and is another cause", () => {
    const cause = { expected: "a status below 500", actual: "status 500" };
    const [alone, always] = collected(
      finding("alone", "HTTP-04", "status 500", cause),
      finding("always", "HTTP-04", "status 500", cause),
      { type: "repeated", key: "alone", text: "1 of 3", alone: 200 },
      { type: "repeated", key: "always", text: "3 of 3" },
    ).findings;
    expect(alone).toMatchObject({
      repeated: "1 of 3",
      actual: "status 500; sent alone, the same request was answered with 200",
      cause: { actual: "status 500, not when sent alone" },
    });
    expect(always).toMatchObject({ repeated: "3 of 3", actual: "status 500", cause });
  });

  test("the time of a requirement is that of all its scenarios", () => {
    const { took, done } = collected(
      { type: "done", requirements: ["OPER-01", "OPER-02"], took: 5 },
      { type: "done", requirements: ["OPER-01"], took: 7 },
    );
    expect([Object.fromEntries(took), done]).toEqual([{ "OPER-01": 12, "OPER-02": 5 }, 2]);
  });

  test("an exchange is kept once, with all that it violates, in order", () => {
    const { exchanges } = collected(exchange(7, ["OPER-01"]), exchange(3), exchange(7, ["OPER-02", "OPER-01"]));
    expect(exchanges.map(({ id, violates }) => [id, violates])).toEqual([
      [3, []],
      [7, ["OPER-01", "OPER-02"]],
    ]);
  });

  test("reasons: five, and whatever was cut short", () => {
    const reasons = Array.from({ length: 9 }, (_, i): Evidence => ({
      type: "inconclusive",
      requirement: "OPER-01",
      reason: `r${i}`,
      cutShort: i === 8,
    }));
    const { inconclusive } = collected(...reasons);
    expect(inconclusive.get("OPER-01")?.map(({ reason }) => reason)).toEqual(["r0", "r1", "r2", "r3", "r4", "r8"]);
  });

  test("answers to questions, the most frequent first, in the order of the questions", () => {
    const seen = (question: "OPEN-01" | "OPEN-03", answer: string, count: number): Evidence => ({
      type: "observation",
      question,
      case: "any",
      answer,
      count,
    });
    const { observations } = collected(
      seen("OPEN-03", "open", 1),
      seen("OPEN-01", "b", 1),
      seen("OPEN-01", "a", 1),
      seen("OPEN-01", "c", 1),
      seen("OPEN-01", "c", 4),
    );
    expect(observations).toEqual([
      {
        id: "OPEN-01",
        question: questions["OPEN-01"].question,
        answers: [
          { case: "any", answer: "c", count: 5 },
          { case: "any", answer: "a", count: 1 },
          { case: "any", answer: "b", count: 1 },
        ],
      },
      { id: "OPEN-03", question: questions["OPEN-03"].question, answers: [{ case: "any", answer: "open", count: 1 }] },
    ]);
  });

  test("latency and what was created are bounded, and their counts are whole", () => {
    const many = collected(
      ...Array.from({ length: 3 }, (): Evidence => ({
        type: "timings",
        entries: Array.from({ length: 9000 }, () => row),
      })),
      ...Array.from({ length: 6000 }, (_, i): Evidence => ({ type: "created", kind: "batch", id: `${i}` })),
    );
    expect(many.latency.map(({ count, histogram }) => [count, histogram])).toEqual([[27_000, [[1, 27_000]]]]);
    expect([many.created.length, many.createdCounts, many.requests]).toEqual([1000, { batch: 6000 }, 27_000]);
    expect(many.created[0]).toEqual({ kind: "batch", id: "0" });
  });

  test("how many of the values were sent", () => {
    const { notSent } = collected(
      { type: "pool", name: "texts in /name", used: 3, of: 40 },
      { type: "pool", name: "texts in /merchant", used: 5, of: 40 },
    );
    expect(notSent).toContain("Sent 8 of the 80 odd values");
    const all = collected({ type: "pool", name: "texts in /name", used: 40, of: 40 });
    expect(all.notSent).toBe("Sent 40 of the 40 odd values that fxconform knows.");
    expect(collected().notSent).toBeUndefined();
  });

  test("operations that were needed and never succeeded, in the order of the specification", () => {
    const { neverSucceeded, planned } = collected(
      { type: "planned", scenario: "a", operations: ["listBatches", "createToken"], requirements: [] },
      { type: "planned", scenario: "b", operations: ["createBatch", "createToken"], requirements: [] },
      { type: "succeeded", operation: "createToken" },
      { type: "succeeded", operation: "createOperation" },
    );
    expect([neverSucceeded, planned]).toEqual([["createBatch", "listBatches"], 2]);
  });

  test("the first reason why the target cannot be tested, our faults, warnings", () => {
    const { untestable, faults, warnings } = collected(
      { type: "untestable", reason: "first" },
      { type: "untestable", reason: "second" },
      { type: "suite error", scenario: "s", text: "oops" },
      { type: "warning", text: "careful" },
    );
    expect([untestable, faults, warnings]).toEqual(["first", ["s: oops"], ["careful"]]);
  });

  test("the end says how many requests there were", () => {
    const { requests, peakInFlight, ended } = collected(
      { type: "timings", entries: [row] },
      { type: "end", requests: 12, peakInFlight: 8 },
    );
    expect([requests, peakInFlight, ended]).toEqual([12, 8, true]);
  });
});

test("a secret is passed on at once", () => {
  const onSecret = vi.fn<(secret: string) => void>();
  createCollector(onSecret).take([{ type: "secret", value: "s3cret" }]);
  expect(onSecret.mock.calls).toEqual([["s3cret"]]);
});

test("progress", () => {
  const collector = createCollector(() => undefined);
  expect(collector.progress()).toEqual({ requests: 0, scenariosDone: 0, scenarios: 0, failing: 0 });
  collector.take([
    { type: "planned", scenario: "a", operations: [], requirements: [] },
    { type: "planned", scenario: "b", operations: [], requirements: [] },
    { type: "done", requirements: ["OPER-01"], took: 12 },
    { type: "timings", entries: [row, row] },
    finding("a", "OPER-01"),
    finding("b", "OPER-01"),
    finding("c", "OPER-02"),
    { type: "waiting", text: "429 from the target" },
  ]);
  const now = { requests: 2, scenariosDone: 1, scenarios: 2, failing: 2 };
  expect(collector.progress()).toEqual({ ...now, waiting: "429 from the target" });
  collector.take([{ type: "timings", entries: [row] }]);
  expect(collector.progress()).toEqual({ ...now, requests: 3 });
});

test("a requirement is finished when all that can judge it has ended", () => {
  const collector = createCollector(() => undefined);
  expect(collector.isFinished("AUTH-20")).toBe(false);
  collector.take([
    { type: "planned", scenario: "a", operations: [], requirements: ["AUTH-20", "OPER-02"] },
    { type: "planned", scenario: "b", operations: [], requirements: ["AUTH-20"] },
    { type: "planned", scenario: "c", operations: [], requirements: ["AUTH-21"] },
    { type: "done", requirements: ["AUTH-20", "OPER-02"], took: 1 },
    { type: "done", requirements: ["AUTH-21"], took: 1 },
  ]);
  // A requirement that every exchange can show is finished when the last scenario has ended.
  const ids = ["AUTH-20", "AUTH-21", "OPER-02"] as const;
  expect(ids.map(collector.isFinished)).toEqual([false, true, false]);
  collector.take([{ type: "done", requirements: ["AUTH-20"], took: 1 }]);
  expect(ids.map(collector.isFinished)).toEqual([true, true, true]);
});

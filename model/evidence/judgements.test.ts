import { expect, test } from "vitest";
import type { Evidence, EvidenceOf, FoundViolation } from "./messages.ts";
import { createCollector } from "./collector.ts";

const finding: FoundViolation = { message: "m", expected: "e", actual: "a", scenario: "s", curl: "curl" };
const holds = (more: Partial<EvidenceOf<"held">> = {}): Evidence => ({
  ...{ type: "held", requirements: ["OPER-01"] },
  ...more,
});
const brokenAgain = (key: string) => ({ type: "violated", requirement: "OPER-01", key }) as const;
const broken = (key: string, more?: Partial<FoundViolation>): Evidence => ({
  ...brokenAgain(key),
  finding: { ...finding, ...more },
});

const judgedBy = (...evidence: readonly Evidence[]) => {
  const collector = createCollector({ replayCommand: "fxconform demo --seed 5" });
  collector.take(evidence);
  return collector.collection().judged.get("OPER-01");
};

test("judgements are counted, and so is each finding; a smaller example takes its place", () => {
  const judged = judgedBy(holds(), broken("a", { actual: "large" }), broken("b"), brokenAgain("a"), holds());
  expect(judged).toEqual({
    asked: 5,
    findings: [
      {
        ...{ ...finding, actual: "large", occurrences: 2 },
        replay: "fxconform demo --seed 5 --only OPER-01",
      },
      expect.objectContaining({ occurrences: 1 }),
    ],
    inconclusive: [],
  });
  const smaller = judgedBy(broken("a", { actual: "large" }), broken("b"), broken("a", { actual: "small" }));
  expect(smaller?.findings.map(({ actual, occurrences }) => [actual, occurrences])).toEqual([
    ["small", 2],
    ["a", 1],
  ]);
});

test("a crash that the request alone did not cause says so, and is another cause", () => {
  const cause = { expected: "a status below 500", actual: "status 500" };
  const repeated = (key: string, text: string, alone?: number): Evidence => ({
    ...{ type: "repeated", requirement: "OPER-01", key, text },
    ...(alone === undefined ? {} : { alone }),
  });
  const judged = judgedBy(
    broken("alone", { actual: "status 500", cause }),
    broken("always", { actual: "status 500", cause }),
    broken("once"),
    repeated("alone", "1 of 3", 200),
    repeated("always", "3 of 3"),
    repeated("unknown", "1 of 3"),
  );
  expect(judged?.findings).toEqual([
    expect.objectContaining({
      repeated: "1 of 3",
      actual: "status 500; sent alone, the same request was answered with 200",
      cause: { ...cause, actual: "status 500, not when sent alone" },
    }),
    expect.objectContaining({ repeated: "3 of 3", actual: "status 500", cause }),
    expect.not.objectContaining({ repeated: expect.anything() }),
  ]);
});

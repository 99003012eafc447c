import { expect, test } from "vitest";
import type { Evidence, FoundViolation } from "../model/evidence.ts";
import type { RunSettings } from "../model/target.ts";
import { settings, target } from "../model/testing/target.ts";
import { requirementIds } from "../spec/catalogue.ts";
import { createCollector } from "./collector.ts";
import { evidenceOf } from "./evidence-of.ts";
import type { RunOptions } from "../model/run-options.ts";

const optionsOf = (more: Partial<RunSettings> = {}): RunOptions => ({
  ...{ target, settings: { ...settings, ...more } },
  ...{ strict: false, statement: [], baseline: [] },
});

const found = (more: Partial<FoundViolation> = {}): FoundViolation => ({
  key: "k",
  requirement: "OPER-02",
  message: "m",
  expected: "e",
  actual: "a",
  scenario: "operation/create/first",
  curl: "curl",
  ...more,
});

/** What a run with this evidence comes to. */
const evidenceFrom = (
  evidence: readonly Evidence[],
  options = optionsOf(),
  more: { untestable?: string; bailed?: boolean } = {},
) => {
  const collector = createCollector(() => undefined);
  collector.take(evidence);
  return evidenceOf(options, collector.collection(), { untestable: undefined, bailed: false, ...more });
};

const evidenceWith = (findings: readonly FoundViolation[], options = optionsOf(), untestable?: string) =>
  evidenceFrom(
    [
      { type: "judged", counts: { "OPER-02": 3 } },
      { type: "inconclusive", requirement: "OPER-02", reason: "unsure", cutShort: true },
      { type: "occurrences", counts: { k: 4 } },
      { type: "done", requirements: ["OPER-02"], took: 12.6 },
      ...findings.map((finding) => ({ type: "finding", finding }) as const),
    ],
    options,
    untestable === undefined ? {} : { untestable },
  );

test("a row for each requirement, with its evidence", () => {
  const evidence = evidenceWith([found(), found({ key: "other", requirement: "OPER-03" })]);
  expect([...evidence.keys()]).toEqual(requirementIds);
  expect(evidence.get("OPER-02")).toEqual({
    asked: 3,
    tookMs: 13,
    findings: [
      {
        message: "m",
        expected: "e",
        actual: "a",
        replay: "npx fxconform replay fxconform-report/report.json --only OPER-02",
        curl: "curl",
        occurrences: 4,
        scenario: "operation/create/first",
      },
    ],
    inconclusive: [{ type: "inconclusive", requirement: "OPER-02", reason: "unsure", cutShort: true }],
  });
  expect(evidence.get("OPER-03")?.findings).toMatchObject([{ occurrences: 1 }]);
  expect(evidence.get("OPER-01")).toMatchObject({ asked: 0, findings: [], inconclusive: [] });
});

test("what showed that a requirement holds", () => {
  const held = { type: "held", requirement: "OPER-02", scenario: "an operation is created", exchange: 7 } as const;
  const evidence = evidenceFrom([held]);
  expect(evidence.get("OPER-02")).toMatchObject({ judgedIn: ["an operation is created"], sample: 7 });
  expect(evidence.get("OPER-01")).not.toHaveProperty("judgedIn");
});

test("what a run that --bail ended had not judged is left out", () => {
  const given: readonly Evidence[] = [
    { type: "judged", counts: { "OPER-02": 3 } },
    { type: "inconclusive", requirement: "OPER-01", reason: "the run was stopped", cutShort: false },
    { type: "finding", finding: found({ requirement: "OPER-03" }) },
  ];
  const evidence = evidenceFrom(given, optionsOf(), { bailed: true });
  const left = [...evidence].filter(([, { skippedBy }]) => skippedBy === "bail").map(([id]) => id);
  expect(left).toEqual(requirementIds.filter((id) => id !== "OPER-02" && id !== "OPER-03"));
});

test("a finding keeps all that it carries", () => {
  const more = {
    pointer: "/status",
    exchange: 7,
    operation: "createOperation",
    intent: "valid",
    cause: { expected: "e", actual: "a" },
    repeated: "2 of 3",
  } as const;
  expect(evidenceWith([found(more)]).get("OPER-02")?.findings[0]).toMatchObject(more);
  expect(Object.keys(evidenceWith([found()]).get("OPER-02")?.findings[0] ?? {})).toHaveLength(7);
});

test("what was left out, and by what", () => {
  const chosen = evidenceWith([], optionsOf({ selection: ["OPER-02", "AUTH-01"], profile: "smoke" }));
  expect(chosen.get("OPER-01")?.skippedBy).toBe("selection");
  expect(chosen.get("OPER-02")?.skippedBy).toBe("profile");
  expect(chosen.get("AUTH-01")?.skippedBy).toBeUndefined();
  expect([...evidenceWith([]).values()].filter(({ skippedBy }) => skippedBy !== undefined)).toEqual([]);
});

test("an untestable target is a reason for every requirement, after its own", () => {
  const evidence = evidenceWith([], optionsOf(), "ECONNREFUSED");
  expect(evidence.get("OPER-01")?.inconclusive).toEqual([{ reason: "ECONNREFUSED", cutShort: false }]);
  expect(evidence.get("OPER-02")?.inconclusive.map(({ reason }) => reason)).toEqual(["unsure", "ECONNREFUSED"]);
});

import { expect, test } from "vitest";
import type { Evidence } from "../model/evidence.ts";
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

/** What a run with this evidence comes to. */
const evidenceFrom = (
  evidence: readonly Evidence[],
  options = optionsOf(),
  more: { untestable?: string; bailed?: boolean } = {},
) => {
  const collector = createCollector();
  collector.take(evidence);
  return evidenceOf(options, collector.collection(), { untestable: undefined, bailed: false, ...more });
};

const unsure = { type: "inconclusive", requirement: "OPER-02", reason: "unsure", cutShort: true } as const;
const judged = { type: "judgement", requirement: "OPER-02", scenario: "a", exchange: 7 } as const;

test("a row for each requirement, with its evidence", () => {
  const evidence = evidenceFrom([judged, judged, unsure, { type: "done", requirements: ["OPER-02"], took: 12.6 }]);
  expect([...evidence.keys()]).toEqual(requirementIds);
  expect(evidence.get("OPER-02")).toEqual({
    ...{ asked: 2, tookMs: 13, findings: [], judgedIn: ["a"], sample: 7 },
    inconclusive: [{ reason: "unsure", cutShort: true }],
  });
  expect(evidence.get("OPER-01")).toEqual({ asked: 0, tookMs: 0, findings: [], inconclusive: [] });
});

test("what a run that --bail ended had not judged is left out", () => {
  const evidence = evidenceFrom([judged, { ...unsure, requirement: "OPER-01" }], optionsOf(), { bailed: true });
  const left = [...evidence].filter(([, { skippedBy }]) => skippedBy === "bail").map(([id]) => id);
  expect(left).toEqual(requirementIds.filter((id) => id !== "OPER-02"));
});

test("what was left out, and by what", () => {
  const chosen = evidenceFrom([], optionsOf({ selection: ["OPER-02", "AUTH-01"], profile: "smoke" }));
  expect(["OPER-01", "OPER-02", "AUTH-01"].map((id) => chosen.get(id as "OPER-01")?.skippedBy)).toEqual([
    ...["selection", "profile", undefined],
  ]);
  expect([...evidenceFrom([]).values()].filter(({ skippedBy }) => skippedBy !== undefined)).toEqual([]);
});

test("an untestable target is a reason for every requirement, after its own", () => {
  const evidence = evidenceFrom([unsure], optionsOf(), { untestable: "ECONNREFUSED" });
  expect(evidence.get("OPER-01")?.inconclusive).toEqual([{ reason: "ECONNREFUSED", cutShort: false }]);
  expect(evidence.get("OPER-02")?.inconclusive.map(({ reason }) => reason)).toEqual(["unsure", "ECONNREFUSED"]);
});

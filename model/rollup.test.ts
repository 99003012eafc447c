import { describe, expect, test } from "vitest";
import { catalogue, requirementIds, type RequirementId } from "../spec/catalogue.ts";
import {
  gateOf,
  outcomeOf,
  requirementResults,
  type GateRules,
  type RequirementEvidence,
  type RunEvidence,
} from "./rollup.ts";
import type { Finding, RequirementResult, Verdict } from "./run.ts";

const finding: Finding = { message: "m", expected: "e", actual: "a", replay: "r", curl: "c" };
const nothing: RequirementEvidence = { asked: 0, findings: [], inconclusive: [] };
const must = "OPER-01";
const should = "OPER-04";

const resultOf = (
  id: RequirementId,
  evidence: Partial<RequirementEvidence> | undefined,
): RequirementResult | undefined =>
  requirementResults(new Map(evidence === undefined ? [] : [[id, { ...nothing, ...evidence }]])).find(
    (one) => one.id === id,
  );

describe("a requirement's verdict", () => {
  const unsure = { reason: "unsure", cutShort: false };
  const cut = { reason: "cut short", cutShort: true };
  const unseen = "no answer of this target showed what the requirement speaks of";

  test.each<[string, RequirementId, Partial<RequirementEvidence> | undefined, Verdict, string | undefined]>([
    ["judged and never violated", must, { asked: 3 }, "pass", undefined],
    ["violated once", must, { asked: 3, findings: [finding] }, "fail", undefined],
    ["violated, of good practice", should, { asked: 3, findings: [finding] }, "warn", undefined],
    ["violated, though cut short", must, { asked: 3, findings: [finding], inconclusive: [cut] }, "fail", undefined],
    ["held, and once not told", must, { asked: 3, inconclusive: [unsure] }, "pass", undefined],
    ["held, but cut short", must, { asked: 3, inconclusive: [unsure, cut] }, "inconclusive", "cut short"],
    ["not told, and cut short", must, { inconclusive: [unsure, cut] }, "inconclusive", "cut short"],
    ["never told", must, { inconclusive: [unsure, { ...unsure, reason: "second" }] }, "inconclusive", "unsure"],
    ["never asked", must, {}, "inconclusive", unseen],
    ["unknown to the run", must, undefined, "inconclusive", unseen],
    ["left out", must, { leftOut: "by --only" }, "skip", "by --only"],
    [
      "left out, whatever was seen",
      must,
      { asked: 3, findings: [finding], inconclusive: [cut], leftOut: "x" },
      "skip",
      "x",
    ],
  ])("%s", (_, id, evidence, verdict, reason) => {
    expect(resultOf(id, evidence)).toMatchObject({ verdict });
    expect(resultOf(id, evidence)?.reason).toBe(reason);
  });

  test("goes with the row of the catalogue and its evidence", () => {
    expect(resultOf(must, { asked: 3, findings: [finding], tookMs: 12 })).toEqual({
      id: must,
      area: "operation",
      level: "MUST",
      statement: catalogue[must].statement,
      source: catalogue[must].source,
      asked: 3,
      verdict: "fail",
      tookMs: 12,
      findings: [finding],
    });
    expect(resultOf(must, { asked: 3 })).not.toHaveProperty("tookMs");
    expect(resultOf(must, { asked: 3 })).not.toHaveProperty("reason");
  });

  test("of what was left out shows nothing that others' traffic found", () => {
    expect(resultOf(must, { asked: 3, findings: [finding], tookMs: 12, leftOut: "x" })).toMatchObject({
      asked: 0,
      findings: [],
    });
    expect(resultOf(must, { tookMs: 12, leftOut: "x" })).not.toHaveProperty("tookMs");
  });

  test("is given for every requirement, in the order of the catalogue", () => {
    expect(requirementResults(new Map()).map(({ id }) => id)).toEqual(requirementIds);
  });
});

const rows = (...verdicts: readonly Verdict[]): readonly RequirementResult[] =>
  verdicts.flatMap((verdict, i) => {
    const id = requirementIds[i];
    return id === undefined ? [] : [{ ...catalogue[id], id, asked: 1, verdict, findings: [] }];
  });

describe("the outcome", () => {
  const run = (more: Partial<RunEvidence>): RunEvidence => ({
    requirements: rows("pass", "pass", "skip", "inconclusive"),
    interrupted: false,
    neverSucceeded: [],
    ...more,
  });
  const failing = rows("fail", "pass");

  test.each<[string, Partial<RunEvidence>, string, string]>([
    ["all that was judged holds", {}, "conformant", "2 requirements hold and no MUST is broken."],
    ["warnings alone", { requirements: rows("warn") }, "conformant", "0 requirements hold and no MUST is broken."],
    ["one is broken", { requirements: failing }, "nonconformant", "1 of the MUST requirements is broken."],
    [
      "two are broken",
      { requirements: rows("fail", "fail", "warn") },
      "nonconformant",
      "2 of the MUST requirements are broken.",
    ],
    [
      "nothing was judged",
      { requirements: rows("inconclusive", "skip") },
      "inconclusive",
      "Not one of the selected requirements could be judged.",
    ],
    ["no requirement", { requirements: [] }, "inconclusive", "Not one of the selected requirements could be judged."],
    [
      "an unreachable target",
      { untestable: "ECONNREFUSED" },
      "inconclusive",
      "The target could not be tested: ECONNREFUSED",
    ],
    [
      "endpoints that never succeed",
      { neverSucceeded: ["createBatch", "listBatches"] },
      "inconclusive",
      "No valid request was ever answered with success by POST /batches, GET /batches.",
    ],
    [
      "a failure outweighs an untestable target",
      { requirements: failing, untestable: "x", neverSucceeded: ["createBatch"] },
      "nonconformant",
      "1 of the MUST requirements is broken.",
    ],
    [
      "an untestable target outweighs endpoints",
      { untestable: "x", neverSucceeded: ["createBatch"] },
      "inconclusive",
      "The target could not be tested: x",
    ],
    [
      "an interruption outweighs a failure",
      { requirements: failing, interrupted: true },
      "interrupted",
      "The run was interrupted; what was judged until then is below.",
    ],
    [
      "an error of ours outweighs all",
      { requirements: failing, interrupted: true, error: "oops", untestable: "x" },
      "error",
      "The suite itself failed: oops",
    ],
  ])("%s", (_, more, outcome, summary) => {
    expect(outcomeOf(run(more))).toEqual({ outcome, summary });
  });
});

describe("the gate", () => {
  const lenient: GateRules = { strict: false, statement: [], baseline: [], today: "2026-05-01" };
  const strict: GateRules = { ...lenient, strict: true };
  const [first = must] = requirementIds;
  const known = (expires: string): GateRules => ({
    ...lenient,
    baseline: [{ requirement: first, reason: "known", expires }],
  });

  const reasons = (verdict: Verdict, rules: GateRules) =>
    gateOf("conformant", "the summary", undefined, rows(verdict), [], rules).reasons;

  test.each<[string, Verdict, GateRules, readonly string[]]>([
    ["a pass", "pass", strict, []],
    ["a skip", "skip", strict, []],
    ["a failure", "fail", lenient, [`${first} failed`]],
    ["a warning", "warn", lenient, []],
    ["a warning, strictly", "warn", strict, [`${first} warns, and the run is strict`]],
    ["something not told", "inconclusive", lenient, []],
    ["something not told, strictly", "inconclusive", strict, [`${first} is inconclusive, and the run is strict`]],
    ["a known failure", "fail", known("2026-05-02"), []],
    ["a known failure on its last day", "fail", known("2026-05-01"), []],
    [
      "a known failure that expired",
      "fail",
      known("2026-04-30"),
      [`${first} failed, and its entry in the baseline expired on 2026-04-30`],
    ],
    ["a known failure that passes", "pass", known("2026-05-02"), [`${first} passes: take it out of the baseline`]],
    ["a known failure that was left out", "skip", known("2026-04-30"), []],
    ["a known warning that expired", "warn", known("2026-04-30"), []],
    [
      "a known warning that expired, strictly",
      "warn",
      { ...known("2026-04-30"), strict: true },
      [`${first} warns, the run is strict, and its entry in the baseline expired on 2026-04-30`],
    ],
    ["a known warning on its last day, strictly", "warn", { ...known("2026-05-01"), strict: true }, []],
    [
      "a known failure that expired, strictly",
      "fail",
      { ...known("2026-04-30"), strict: true },
      [`${first} failed, and its entry in the baseline expired on 2026-04-30`],
    ],
    ["a known warning, strictly", "warn", { ...known("2026-05-02"), strict: true }, []],
    [
      "a known failure not told, strictly",
      "inconclusive",
      { ...known("2026-05-02"), strict: true },
      [`${first} is inconclusive, and the run is strict`],
    ],
  ])("%s", (_, verdict, rules, wanted) => {
    expect(reasons(verdict, rules)).toEqual(wanted);
    expect(gateOf("conformant", "s", undefined, rows(verdict), [], rules).pass).toBe(wanted.length === 0);
  });

  test.each([
    ["conformant", []],
    ["nonconformant", []],
    ["inconclusive", ["the summary"]],
    ["interrupted", ["the summary"]],
    ["error", ["the summary"]],
  ] as const)("%s says its summary: %j", (outcome, wanted) => {
    expect(gateOf(outcome, "the summary", undefined, rows("pass"), [], lenient).reasons).toEqual(wanted);
  });

  test("known failures do not hide that the target was not tested", () => {
    const gate = (untested: string | undefined) =>
      gateOf("nonconformant", "s", untested, rows("fail"), [], known("2026-05-02"));
    expect(gate(undefined)).toEqual({ pass: true, reasons: [] });
    expect(gate("never tested")).toEqual({ pass: false, reasons: ["never tested"] });
    expect(gateOf("inconclusive", "never tested", "never tested", [], [], lenient).reasons).toEqual(["never tested"]);
  });

  test("a baseline speaks of its own requirement alone", () => {
    expect(gateOf("nonconformant", "s", undefined, rows("fail", "fail"), [], known("2026-05-02")).reasons).toEqual([
      `${requirementIds[1]} failed`,
    ]);
  });

  describe("pinned answers", () => {
    const pin = (answers: readonly string[], strictly = false): GateRules => ({
      ...lenient,
      strict: strictly,
      statement: [{ question: "OPEN-12", answers }],
    });
    const observed = (...values: readonly string[]) => [
      { id: "OPEN-03" as const, question: "other", answers: [{ case: "any", answer: "999", count: 1 }] },
      { id: "OPEN-12" as const, question: "which", answers: values.map((value) => ({ value, count: 1 })) },
    ];
    const gate = (values: readonly string[], rules: GateRules) =>
      gateOf("conformant", "s", undefined, rows("pass"), observed(...values), rules).reasons;

    test("that were observed pass", () => {
      expect(gate(["201"], pin(["201"], true))).toEqual([]);
      expect(gate(["201", "200"], pin(["200", "201", "202"]))).toEqual([]);
    });

    test("and others that were fail, each", () => {
      expect(gate(["200", "201", "20"], pin(["201", "202"]))).toEqual([
        'OPEN-12 is pinned to "201" or "202", and was "200"',
        'OPEN-12 is pinned to "201" or "202", and was "20"',
      ]);
    });

    test("that were not observed fail a strict run only", () => {
      expect(gate([], pin(["201"]))).toEqual([]);
      expect(gateOf("conformant", "s", undefined, rows("pass"), [], pin(["201"])).reasons).toEqual([]);
      expect(gate([], pin(["201"], true))).toEqual(["OPEN-12 is pinned, and was not observed"]);
      expect(gateOf("conformant", "s", undefined, rows("pass"), [], pin(["201"], true)).pass).toBe(false);
    });
  });
});

import { describe, expect, test } from "vitest";
import { catalogue, requirementIds, type RequirementId } from "../spec/catalogue.ts";
import type { Finding, RequirementResult, Verdict } from "./run.ts";
import { requirementResults, type RequirementEvidence } from "./outcome.ts";

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
  const unseen = "no response showed whether the server meets it";

  test.each<[string, RequirementId, Partial<RequirementEvidence> | undefined, Verdict, string | undefined]>([
    ["judged and never violated", must, { asked: 3 }, "pass", undefined],
    ["violated once", must, { asked: 3, findings: [finding] }, "fail", undefined],
    ["violated, of good practice", should, { asked: 3, findings: [finding] }, "warn", undefined],
    ["violated, though cut short", must, { asked: 3, findings: [finding], inconclusive: [cut] }, "fail", undefined],
    ["held, and once without a verdict", must, { asked: 3, inconclusive: [unsure] }, "pass", undefined],
    ["held, but cut short", must, { asked: 3, inconclusive: [unsure, cut] }, "inconclusive", "cut short"],
    ["without a verdict, and cut short", must, { inconclusive: [unsure, cut] }, "inconclusive", "cut short"],
    ["never a verdict", must, { inconclusive: [unsure, { ...unsure, reason: "second" }] }, "inconclusive", "unsure"],
    ["never judged", must, {}, "inconclusive", unseen],
    ["unknown to the run", must, undefined, "inconclusive", unseen],
    ["left out", must, { skippedBy: "selection" }, "skip", "left out by --only or --exclude"],
    [
      "left out, whatever was seen",
      must,
      { asked: 3, findings: [finding], inconclusive: [cut], skippedBy: "bail" },
      "skip",
      "not checked: the run stopped at a failed requirement (--bail)",
    ],
  ])("%s", (_, id, evidence, verdict, reason) => {
    expect(resultOf(id, evidence)).toMatchObject({ verdict });
    expect(resultOf(id, evidence)?.reason).toBe(reason);
  });

  test("comes with the row of the catalogue and the evidence", () => {
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

  test("of a skipped requirement shows nothing that other scenarios found", () => {
    expect(resultOf(must, { asked: 3, findings: [finding], tookMs: 12, skippedBy: "profile" })).toMatchObject({
      asked: 0,
      skippedBy: "profile",
      findings: [],
    });
    expect(resultOf(must, { tookMs: 12, skippedBy: "profile" })).not.toHaveProperty("tookMs");
  });

  test("is given for every requirement, in the order of the catalogue", () => {
    expect(requirementResults(new Map()).map(({ id }) => id)).toEqual(requirementIds);
  });
});

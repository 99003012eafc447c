import { describe, expect, test } from "vitest";
import { type RequirementId } from "../../spec/catalogue.ts";
import type { Finding, RequirementResult, Verdict } from "../run.ts";
import { outcomeOf, scopeText, untestedBy, type RunEvidence } from "./outcome.ts";
import { requirementResults, type RequirementEvidence } from "./conclude.ts";
import { findingOf, rowOf, rowsOfLevel } from "../testing/rows.ts";

function run(more: Partial<RunEvidence>): RunEvidence {
  return {
    requirements: rowsOfLevel("MUST", "pass", "pass", "inconclusive"),
    profile: "full",
    interrupted: false,
    ...more,
  };
}
const failing = rowsOfLevel("MUST", "fail", "pass");
const skipping = rowsOfLevel("MUST", "pass", "pass", "skip");
const only = { selection: { only: ["OPER-01", "AUTH"] } };

test.each<[string, Partial<RunEvidence>, string, string]>([
  [
    "one has no verdict",
    {},
    "inconclusive",
    "No verdict on the server: 1 of 3 MUST could not be judged, and none failed (AUTH-03).",
  ],
  [
    "one has no verdict for a gap of its row",
    {
      requirements: [
        rowOf("OPER-01", "pass"),
        rowOf("OPER-07", "inconclusive", { gap: "optional member" }),
      ],
    },
    "conformant",
    "The server conforms: 1 of 2 MUST hold, and 1 has no verdict.",
  ],
  [
    "one has no verdict because of --max-bad-credentials",
    {
      requirements: [
        rowOf("OPER-01", "pass"),
        rowOf("AUTH-20", "inconclusive", { gap: "bad credentials" }),
      ],
    },
    "partial",
    "No violation found in 1 of 2 requirements (--max-bad-credentials).",
  ],
  [
    "a SHOULD is not met",
    {
      requirements: [
        ...rowsOfLevel("MUST", "pass"),
        ...rowsOfLevel("SHOULD", "warn", "inconclusive"),
      ],
    },
    "conformant",
    "The server conforms: all 1 MUST hold; 1 warning.",
  ],
  [
    "one is broken, and one has no verdict",
    {
      requirements: [
        ...rowsOfLevel("MUST", "fail", "pass", "inconclusive"),
        ...rowsOfLevel("SHOULD", "inconclusive"),
      ],
    },
    "nonconformant",
    "The server does not conform: 1 of 3 MUST are broken, and 1 more has no verdict.",
  ],
  [
    "nothing was judged",
    { requirements: rowsOfLevel("MUST", "inconclusive", "skip"), ...only },
    "inconclusive",
    "No requirement could be judged (--only OPER-01,AUTH).",
  ],
  [
    "a document leaves one open",
    { profile: "contract", requirements: rowsOfLevel("MUST", "pass", "inconclusive", "skip") },
    "inconclusive",
    "No verdict on the document: 1 of 3 MUST could not be judged, and none failed (AUTH-02).",
  ],
  [
    "an interruption outweighs a failure",
    { requirements: failing, interrupted: true },
    "interrupted",
    "The run was interrupted: 2 of 2 requirements judged; 1 of 2 MUST are broken.",
  ],
])("%s", (_, more, outcome, summary) => {
  expect(outcomeOf(run(more))).toEqual({ outcome, summary });
});

test.each([
  [
    { requirements: [rowOf("OPER-01", "skip", { skippedBy: "profile" })], profile: "smoke" },
    "profile smoke",
  ],
  [
    { requirements: skipping, selection: { only: ["a", "b", "c", "d", "e"] } },
    "--only a,b,c and 2 more",
  ],
  [{ requirements: skipping, selection: { only: ["a", "b", "c", "d"] } }, "--only a,b,c,d"],
  [
    { requirements: skipping, selection: { exclude: ["a"] }, profile: "traffic" },
    "by watching traffic, --exclude a",
  ],
] as const)("the scope of %j", (more, text) => {
  expect(scopeText(run(more))).toBe(text);
});

const finding: Finding = findingOf();
const nothing: RequirementEvidence = { asked: 0, findings: [], inconclusive: [] };
const must = "OPER-01";
const should = "OPER-04";

function resultOf(
  id: RequirementId,
  evidence: Partial<RequirementEvidence> | undefined,
): RequirementResult | undefined {
  return requirementResults(
    new Map(evidence === undefined ? [] : [[id, { ...nothing, ...evidence }]]),
  ).find((one) => one.id === id);
}

describe("a requirement's verdict", () => {
  const unsure = { reason: "unsure", cutShort: false };
  const cut = { reason: "cut short", cutShort: true };
  const never = { reason: "never a success", blockedAt: "createOperation" } as const;
  const refused = { ...unsure, ...never, reason: "it said no", gap: "refusal" } as const;
  const elsewhere = { ...refused, reason: "elsewhere", blockedAt: "createBatch" } as const;
  const unseen =
    "the server never sent a response that could show it. What that takes: fxconform explain OPER-01";

  test.each<
    [string, RequirementId, Partial<RequirementEvidence> | undefined, Verdict, string | undefined]
  >([
    ["violated", must, { asked: 3, findings: [finding] }, "fail", undefined],
    ["violated, of good practice", should, { asked: 3, findings: [finding] }, "warn", undefined],
    [
      "held, but cut short",
      must,
      { asked: 3, inconclusive: [unsure, cut] },
      "inconclusive",
      "cut short",
    ],
    [
      "a gap, and another reason",
      must,
      { inconclusive: [{ ...cut, cutShort: false, gap: "second pair" }, unsure] },
      "inconclusive",
      "unsure",
    ],
    [
      "never shown, in the words of the server",
      must,
      { inconclusive: [elsewhere, refused], lack: never },
      "inconclusive",
      "it said no",
    ],
    [
      "blocked at another operation",
      must,
      { inconclusive: [elsewhere], lack: never },
      "inconclusive",
      "never a success",
    ],
    [
      "open for a gap, and cut short for another reason",
      must,
      { inconclusive: [unsure], lack: { reason: "left out", gap: "optional member" } },
      "inconclusive",
      "unsure",
    ],
    [
      "open for a gap, and blocked elsewhere without one",
      must,
      {
        inconclusive: [{ ...elsewhere, gap: undefined }],
        lack: { reason: "left out", gap: "optional member" },
      },
      "inconclusive",
      "elsewhere",
    ],
    ["unknown to the run", must, undefined, "inconclusive", unseen],
    ["left out", must, { skippedBy: "selection" }, "skip", "left out by --only or --exclude"],
    [
      "left out, whatever was seen",
      must,
      { asked: 3, findings: [finding], inconclusive: [cut], skippedBy: "profile" },
      "skip",
      "left out by the profile smoke, which creates nothing",
    ],
  ])("%s", (_, id, evidence, verdict, reason) => {
    expect(resultOf(id, evidence)).toMatchObject({ verdict });
    expect(resultOf(id, evidence)?.reason).toBe(reason);
    expect(resultOf(id, evidence)?.gap).toBeUndefined();
  });
});

test("what never succeeded is explained by what the server said at the first operation that has a reason", () => {
  const reasons: Partial<Record<string, string>> = {
    createOperation: "It said no.",
    createBatch: "another reason",
  };
  const never = ["addAcamItem", "createOperation", "createBatch"] as const;
  const text = untestedBy(undefined, never, (operation) => reasons[operation], "A quote.");
  expect(text).toMatch(/^No valid request succeeded at .*\. It said no\. A quote\.$/);
});

import { other } from "../mistake.ts";
import { describe, expect, test } from "vitest";
import { gateOf, type GatedRun } from "./gate.ts";
import type { GateRules, KnownFailure, LatencyBudget } from "../run-options.ts";
import type { Finding, Observation, RequirementResult, SkippedBy, Verdict } from "../run.ts";
import { findingOf, rowOf, rowsOfLevel } from "../testing/rows.ts";

const lenient: GateRules = { strict: false, statement: [], baseline: [], today: "2026-05-01" };
const strict: GateRules = { ...lenient, strict: true };

function gateFor(run: Partial<GatedRun>, rules: GateRules) {
  return gateOf(
    {
      requirements: rowsOfLevel("MUST", "pass"),
      observations: [],
      profile: "full",
      complete: true,
      outcome: "conformant",
      summary: "the summary",
      interrupted: false,
      ...run,
    },
    rules,
  );
}

function reasonsOf(run: Partial<GatedRun>, rules: GateRules): readonly string[] {
  return gateFor(run, rules).reasons.map(({ kind, text }) => `${kind}: ${text}`);
}

describe("a requirement", () => {
  const known = (expires: string, more: Partial<GateRules> = {}): GateRules => ({
    ...lenient,
    baseline: [{ requirement: "OPER-01", reason: "known", expires }],
    ...more,
  });

  test.each<[string, Verdict, GateRules, readonly string[]]>([
    ["a failure", "fail", lenient, ["must-failed: OPER-01 failed"]],
    [
      "a warning, strictly",
      "warn",
      strict,
      ["strict-warning: OPER-01 has a warning, and the run is strict"],
    ],
    [
      "no verdict",
      "inconclusive",
      lenient,
      ["not-judged: OPER-01 has no verdict: no reason was recorded"],
    ],
    ["a known failure on its last day", "fail", known("2026-05-01"), []],
    [
      "a known failure that expired",
      "fail",
      known("2026-04-30"),
      [
        "known-failure-expired: OPER-01 failed, and its entry in the baseline expired on 2026-04-30",
      ],
    ],
    [
      "a known failure that passes",
      "pass",
      known("2026-05-02"),
      ["known-failure-passes: OPER-01 passes: remove it from the baseline"],
    ],
    ["a known warning, strictly", "warn", known("2026-05-01", { strict: true }), []],
  ])("%s", (_, verdict, rules, wanted) => {
    const run = { requirements: [rowOf("OPER-01", verdict)] };
    expect(reasonsOf(run, rules)).toEqual(wanted);
    expect(gateFor(run, rules).pass).toBe(wanted.length === 0);
  });

  test.each<[string, Partial<RequirementResult>, GateRules, readonly string[]]>([
    [
      "a gap of its row, strictly",
      { gap: "optional member" },
      strict,
      ["strict-inconclusive: OPER-07 has no verdict, and the run is strict"],
    ],
    [
      "a gap of other rows",
      { gap: "other purpose" },
      lenient,
      ["not-judged: OPER-07 has no verdict: why"],
    ],
  ])("without a verdict for %s", (_, more, rules, wanted) => {
    const row = rowOf("OPER-07", "inconclusive", { reason: "why", ...more });
    expect(reasonsOf({ requirements: [row, rowOf("OPER-01", "pass")] }, rules)).toEqual(wanted);
  });

  test.each(["smoke", "traffic"] as const)("of the profile %s may have no verdict", (profile) => {
    const requirements = [rowOf("OPER-07", "inconclusive"), rowOf("OPER-02", "skip")];
    expect(reasonsOf({ requirements, profile, outcome: "partial" }, lenient)).toEqual([]);
  });

  test("is named in the reason; a tolerated failure has the reason and last day of the baseline", () => {
    expect(
      gateFor(
        { requirements: [rowOf("OPER-02", "fail"), rowOf("OPER-01", "fail")] },
        known("2026-05-02"),
      ),
    ).toMatchObject({
      pass: false,
      reasons: [{ kind: "must-failed", requirement: "OPER-02", text: "OPER-02 failed" }],
      tolerated: [{ requirement: "OPER-01", reason: "known", expires: "2026-05-02" }],
    });
  });

  test("may pass in the profile smoke and stay in the baseline, because it may fail elsewhere", () => {
    expect(
      reasonsOf(
        { requirements: [rowOf("OPER-01", "pass")], profile: "smoke" },
        known("2026-05-02"),
      ),
    ).toEqual([]);
  });

  const finding = { expected: "status 400", actual: "status 422" };
  const changed = [
    "known-failure-changed: OPER-01 failed for another cause than the one in the baseline",
  ];
  test.each<[string, readonly Finding[], readonly string[]]>([
    [
      "the cause that is known beside another",
      [findingOf({ mistake: other("", finding.expected, finding.actual) }), findingOf()],
      [],
    ],
    [
      "another cause",
      [findingOf({ ...finding, mistake: other("", finding.expected, "status 200"), actual: "b" })],
      changed,
    ],
  ])("in the baseline with its cause: %s", (_, findings, wanted) => {
    const baseline: readonly KnownFailure[] = [
      { requirement: "OPER-01", reason: "r", expires: "2026-05-02", finding },
    ];
    expect(
      reasonsOf(
        { requirements: [rowOf("OPER-01", "fail", { findings })] },
        { ...lenient, baseline },
      ),
    ).toEqual(wanted);
  });
});

describe("the run", () => {
  test("known failures do not hide that the target was not tested", () => {
    const baseline = [{ requirement: "OPER-01", reason: "known", expires: "2026-05-02" } as const];
    const run = {
      outcome: "nonconformant",
      requirements: [rowOf("OPER-01", "fail")],
      untested: "never tested",
    } as const;
    expect(reasonsOf(run, { ...lenient, baseline })).toEqual(["nothing-tested: never tested"]);
    expect(reasonsOf({ outcome: "inconclusive", untested: "x" }, lenient)).toEqual([
      "nothing-tested: the summary",
    ]);
    const nothing = {
      outcome: "inconclusive",
      requirements: [rowOf("OPER-01", "inconclusive")],
    } as const;
    expect(reasonsOf(nothing, lenient)).toEqual(["nothing-tested: the summary"]);
  });
});

describe("a statement", () => {
  const observations: readonly Observation[] = [
    { id: "OPEN-03", question: "other", answers: [{ case: "any", answer: "999", count: 1 }] },
    {
      id: "OPEN-12",
      question: "which",
      answers: [
        { case: "empty", answer: "400", count: 1 },
        { case: "cut", answer: "422", count: 3 },
      ],
    },
  ];
  const reasons = (
    pin: Partial<GateRules["statement"][number]>,
    run: Partial<GatedRun> = {},
    rules = lenient,
  ) =>
    reasonsOf(
      { observations, ...run },
      { ...rules, statement: [{ question: "OPEN-12", answers: ["400"], ...pin }] },
    );

  test("compares the case that it names", () => {
    expect(reasons({ case: "empty" })).toEqual([]);
    expect(reasons({ case: "cut" })).toEqual(["statement: OPEN-12, cut: pinned 400, found 422"]);
    expect(reasons({ except: ["cut"] })).toEqual([]);
    expect(reasons({ except: ["empty"] })).toEqual([
      "statement: OPEN-12, cut: pinned 400, found 422",
    ]);
  });

  test("without a case holds for every case", () => {
    expect(reasons({ answers: ["400", "422", "409"] })).toEqual([]);
    expect(reasons({ answers: ["401", "42"] })).toEqual([
      "statement: OPEN-12, empty: pinned 401 or 42, found 400",
      "statement: OPEN-12, cut: pinned 401 or 42, found 422",
    ]);
  });

  test("fails for an answer that was not observed only if the run is strict and complete", () => {
    expect(reasons({ case: "unknown" })).toEqual([]);
    expect(reasons({ case: "unknown" }, { complete: false }, strict)).toEqual([]);
    expect(reasons({ case: "unknown" }, {}, strict)).toEqual([
      "statement-not-observed: OPEN-12, unknown: pinned, not observed",
    ]);
    expect(reasons({}, { observations: [] }, strict)).toEqual([
      "statement-not-observed: OPEN-12: pinned, not observed",
    ]);
  });
});

test.each([
  ["2026-05-16", []],
  [
    "2026-05-02",
    ["The entry for OPER-01 in the baseline expires in 1 day, at the end of 2026-05-02 in UTC."],
  ],
])("an entry that expires on %s", (expires, warnings) => {
  const baseline: readonly KnownFailure[] = [{ requirement: "OPER-01", reason: "r", expires }];
  const run = { requirements: [rowOf("OPER-01", "fail")] };
  expect(gateFor(run, { ...lenient, baseline }).warnings).toEqual(warnings);
});

test.each([
  ["2027-05-02", []],
  [
    "2027-05-03",
    ["In more than a year an entry of the baseline will expire: OPER-01 (2027-05-03)."],
  ],
])("an entry that expires on %s, seen from 2026-05-01", (expires, warnings) => {
  const baseline: readonly KnownFailure[] = [{ requirement: "OPER-01", reason: "r", expires }];
  const run = { requirements: [rowOf("OPER-01", "inconclusive")] };
  expect(gateFor(run, { ...lenient, baseline }).warnings).toEqual(warnings);
});

test.each<[SkippedBy, readonly string[]]>([
  [
    "selection",
    ["incomplete: 1 of 2 requirements left out by the selection, and --complete is given"],
  ],
  ["profile", []],
])("with --complete, what %s leaves out fails the gate with %j", (skippedBy, reasons) => {
  const requirements = [rowOf("OPER-01", "pass"), rowOf("OPER-02", "skip", { skippedBy })];
  expect(reasonsOf({ requirements }, { ...lenient, complete: true })).toEqual(reasons);
  expect(reasonsOf({ requirements }, lenient)).toEqual([]);
});

test("with --complete, what --max-bad-credentials leaves open fails the gate", () => {
  const requirements = [
    rowOf("OPER-01", "pass"),
    rowOf("AUTH-02", "inconclusive", { gap: "bad credentials" }),
  ];
  const reasons = [
    "incomplete: 1 of 2 requirements left out by --max-bad-credentials, and --complete is given",
  ];
  expect(reasonsOf({ requirements }, { ...lenient, complete: true })).toEqual(reasons);
});

const list = {
  operation: "listBatches",
  count: 12,
  sum: 600,
  p50: 20,
  p95: 301,
  p99: 400,
  max: 400,
  histogram: [],
} as const;
const token = { ...list, operation: "createToken", count: 4 } as const;
const latency = [list, token, { ...list, operation: "addAcamItem", count: 5 } as const];
const budget = { operation: "listBatches", statistic: "p95", milliseconds: 300 } as const;

describe("a latency budget", () => {
  const tooFew = { ...budget, operation: "createToken", milliseconds: 1 } as const;
  const unchecked = "createToken: 4 responses, and --max-latency needs at least 5";
  const over = "latency: listBatches: p95 is 301 ms over 12 responses; --max-latency allows 300 ms";

  test.each<[string, LatencyBudget, boolean, readonly string[], readonly string[]]>([
    ["within", { ...budget, milliseconds: 301 }, false, [], []],
    ["exceeded", budget, false, [over], []],
    ["too few responses", tooFew, false, [], [`Not checked: ${unchecked}.`]],
    [
      "just enough responses",
      { ...budget, operation: "addAcamItem" },
      false,
      ["latency: addAcamItem: p95 is 301 ms over 5 responses; --max-latency allows 300 ms"],
      [],
    ],
  ])("%s", (_, one, strict, reasons, warnings) => {
    const rules = { ...lenient, strict, budgets: [one] };
    expect(reasonsOf({ latency }, rules)).toEqual(reasons);
    expect(gateFor({ latency }, rules).warnings).toEqual(warnings);
  });
});

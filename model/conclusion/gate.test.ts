import { other } from "../mistake.ts";
import { defined } from "../defined.ts";
import { describe, expect, test } from "vitest";
import { gateOf, type GatedRun } from "./gate.ts";
import type { GateRules, LatencyBudget } from "../run-options.ts";
import type { Finding, Observation, RequirementResult, Verdict } from "../run.ts";
import { findingOf, rowOf, rowsOfLevel } from "../testing/rows.ts";

const lenient: GateRules = { strict: false, statement: [], baseline: [], today: "2026-05-01" };
const strict: GateRules = { ...lenient, strict: true };
const complete: GateRules = { ...lenient, complete: true };

/** Rules that know a failure of OPER-01 until a day. */
function known(expires: string, finding?: Pick<Finding, "expected" | "actual">): GateRules {
  return { ...lenient, baseline: [{ requirement: "OPER-01", reason: "known", expires, finding }] };
}

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

/** The kinds of the reasons why these requirements do not pass. */
function kindsFor(
  rules: GateRules,
  requirements: readonly RequirementResult[],
  run: Partial<GatedRun> = {},
): readonly string[] {
  return gateFor({ requirements, ...run }, rules).reasons.map(({ kind }) => kind);
}

describe("a requirement", () => {
  test.each<[string, Verdict, GateRules, readonly string[]]>([
    ["a failure", "fail", lenient, ["must-failed"]],
    ["a warning, strictly", "warn", strict, ["strict-warning"]],
    ["no verdict", "inconclusive", lenient, ["not-judged"]],
    ["a known failure on its last day", "fail", known("2026-05-01"), []],
    ["a known failure that expired", "fail", known("2026-04-30"), ["known-failure-expired"]],
    ["a known failure that passes", "pass", known("2026-05-02"), ["known-failure-passes"]],
    ["a known warning, strictly", "warn", { ...known("2026-05-01"), strict: true }, []],
  ])("%s", (_, verdict, rules, kinds) => {
    const requirements = [rowOf("OPER-01", verdict)];
    expect(kindsFor(rules, requirements)).toEqual(kinds);
    expect(gateFor({ requirements }, rules).pass).toBe(kinds.length === 0);
  });

  test("without a verdict fails a strict gate, and any gate without a gap", () => {
    const open = (gap?: "optional member") => [
      rowOf("OPER-07", "inconclusive", defined({ gap })),
      rowOf("OPER-01", "pass"),
    ];
    expect(kindsFor(lenient, open("optional member"))).toEqual([]);
    expect(kindsFor(strict, open("optional member"))).toEqual(["strict-inconclusive"]);
    expect(kindsFor(lenient, open())).toEqual(["not-judged"]);
  });

  test.each(["smoke", "traffic"] as const)("of the profile %s may have no verdict", (profile) => {
    const requirements = [rowOf("OPER-07", "inconclusive"), rowOf("OPER-02", "skip")];
    expect(kindsFor(lenient, requirements, { profile, outcome: "partial" })).toEqual([]);
  });

  test("is named in the reason; a tolerated failure has the reason and last day of the baseline", () => {
    const requirements = [rowOf("OPER-02", "fail"), rowOf("OPER-01", "fail")];
    expect(gateFor({ requirements }, known("2026-05-02"))).toMatchObject({
      pass: false,
      reasons: [{ kind: "must-failed", requirement: "OPER-02", text: "OPER-02 failed" }],
      tolerated: [{ requirement: "OPER-01", reason: "known", expires: "2026-05-02" }],
    });
  });

  test("may pass in the profile smoke and stay in the baseline, because it may fail elsewhere", () => {
    const requirements = [rowOf("OPER-01", "pass")];
    expect(kindsFor(known("2026-05-02"), requirements, { profile: "smoke" })).toEqual([]);
  });

  test("is known with its cause, beside others too, and not with another", () => {
    const rules = known("2026-05-02", { expected: "status 400", actual: "status 422" });
    const kindsOf = (...findings: readonly Finding[]) =>
      kindsFor(rules, [rowOf("OPER-01", "fail", { findings })]);
    const found = (actual: string) =>
      findingOf({ mistake: other("", "status 400", actual), actual: "b" });
    expect(kindsOf(found("status 422"), findingOf())).toEqual([]);
    expect(kindsOf(found("status 200"))).toEqual(["known-failure-changed"]);
  });
});

test("known failures do not hide that the target was not tested", () => {
  const requirements = [rowOf("OPER-01", "fail")];
  const run = { outcome: "nonconformant", requirements, untested: "never tested" } as const;
  expect(reasonsOf(run, known("2026-05-02"))).toEqual(["nothing-tested: never tested"]);
  const open = [rowOf("OPER-01", "inconclusive")];
  expect(reasonsOf({ outcome: "inconclusive", requirements: open }, lenient)).toEqual([
    "nothing-tested: the summary",
  ]);
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

  test("compares the case that it names, or every case but some", () => {
    const differs = ["statement: OPEN-12, cut: pinned 400, found 422"];
    expect(reasons({ case: "empty" })).toEqual([]);
    expect(reasons({ case: "cut" })).toEqual(differs);
    expect(reasons({ except: ["cut"] })).toEqual([]);
    expect(reasons({ except: ["empty"] })).toEqual(differs);
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

test.each<[string, Verdict, readonly string[]]>([
  ["2026-05-16", "fail", []],
  [
    "2026-05-02",
    "fail",
    ["The entry for OPER-01 in the baseline expires in 1 day, at the end of 2026-05-02 in UTC."],
  ],
])("an entry that expires on %s, of a requirement with %s", (expires, verdict, warnings) => {
  const run = { requirements: [rowOf("OPER-01", verdict)] };
  expect(gateFor(run, known(expires)).warnings).toEqual(warnings);
});

test("with --complete, what an option leaves out fails the gate, and what the profile does not", () => {
  const pass = rowOf("OPER-01", "pass");
  const incomplete = (by: string) => [
    `incomplete: 1 of 2 requirements left out by ${by}, and --complete is given`,
  ];
  const selected = [pass, rowOf("OPER-02", "skip", { skippedBy: "selection" })];
  expect(reasonsOf({ requirements: selected }, complete)).toEqual(incomplete("the selection"));
  expect(reasonsOf({ requirements: selected }, lenient)).toEqual([]);
  const smoke = [pass, rowOf("OPER-02", "skip", { skippedBy: "profile" })];
  expect(reasonsOf({ requirements: smoke }, complete)).toEqual([]);
  const bounded = [pass, rowOf("AUTH-02", "inconclusive", { gap: "bad credentials" })];
  expect(reasonsOf({ requirements: bounded }, complete)).toEqual(
    incomplete("--max-bad-credentials"),
  );
});

test("a latency budget is kept, exceeded, or not checked for want of responses", () => {
  const times = { sum: 600, p50: 20, p95: 301, p99: 400, max: 400, histogram: [] };
  const latency = [
    { operation: "listBatches", count: 5, ...times },
    { operation: "createToken", count: 4, ...times },
  ] as const;
  const checked = (budget: LatencyBudget) => {
    const rules = { ...lenient, budgets: [budget] };
    return [...reasonsOf({ latency }, rules), ...gateFor({ latency }, rules).warnings];
  };
  const budget = { operation: "listBatches", statistic: "p95", milliseconds: 300 } as const;
  expect(checked({ ...budget, milliseconds: 301 })).toEqual([]);
  expect(checked(budget)).toEqual([
    "latency: listBatches: p95 is 301 ms over 5 responses; --max-latency allows 300 ms",
  ]);
  expect(checked({ ...budget, operation: "createToken" })).toEqual([
    "Not checked: createToken: 4 responses, and --max-latency needs at least 5.",
  ]);
});

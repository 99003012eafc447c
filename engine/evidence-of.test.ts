import { describe, expect, test } from "vitest";
import type { FoundViolation } from "../model/evidence.ts";
import type { Target } from "../model/target.ts";
import { requirementIds, type RequirementId } from "../spec/catalogue.ts";
import { createCollector } from "./collector.ts";
import { askedElsewhere, evidenceOf } from "./evidence-of.ts";
import type { RunOptions } from "./options.ts";

const target: Target = {
  baseUrl: "https://fx.example",
  apiKey: "key",
  customerId: "cust",
  currencyPairs: ["USDBRL"],
  otherPurposes: [],
  amount: { min: 1, max: 2, decimals: 0 },
  insecure: false,
  allowHttp: false,
};

const optionsOf = (
  more: Partial<RunOptions> & {
    readonly selection?: readonly RequirementId[];
    readonly profile?: "smoke" | "full";
  } = {},
) => {
  const { selection = requirementIds, profile = "full", ...rest } = more;
  const settings = { profile, selection, seed: 1147, runs: 1, concurrency: 1, timeout: 1, grace: 1, maxBody: 1 };
  const options: RunOptions = {
    target,
    settings,
    strict: false,
    statement: [],
    baseline: [],
    replayArguments: "",
    ...rest,
  };
  return options;
};

const found = (more: Partial<FoundViolation> = {}): FoundViolation => ({
  key: "k",
  requirement: "OPER-02",
  message: "m",
  expected: "e",
  actual: "a",
  scenario: ["OPER-02"],
  curl: "curl",
  ...more,
});

const evidenceWith = (findings: readonly FoundViolation[], options = optionsOf(), untestable?: string) => {
  const collector = createCollector(() => undefined);
  collector.take([
    { type: "asked", counts: { "OPER-02": 3 } },
    { type: "inconclusive", requirement: "OPER-02", reason: "unsure", cutShort: true },
    { type: "occurrences", counts: { k: 4 } },
    { type: "done", requirements: ["OPER-02"], took: 12.6 },
    ...findings.map((finding) => ({ type: "finding", finding }) as const),
  ]);
  return evidenceOf(options, collector.collection(), untestable);
};

test("a row for each requirement, with what was told of it", () => {
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
        replay: "fxconform run --only OPER-02 --seed 1147",
        curl: "curl",
        occurrences: 4,
      },
    ],
    inconclusive: [{ type: "inconclusive", requirement: "OPER-02", reason: "unsure", cutShort: true }],
  });
  expect(evidence.get("OPER-03")?.findings).toMatchObject([{ occurrences: 1 }]);
  expect(evidence.get("OPER-01")).toMatchObject({ asked: 0, findings: [], inconclusive: [] });
});

test("a finding keeps all that it carries", () => {
  const more = { pointer: "/status", exchange: 7, operation: "createOperation", repeated: "2 of 3" } as const;
  expect(evidenceWith([found(more)]).get("OPER-02")?.findings[0]).toMatchObject(more);
  expect(Object.keys(evidenceWith([found()]).get("OPER-02")?.findings[0] ?? {})).toHaveLength(6);
});

describe("the command that asks again", () => {
  const replay = (more: Partial<FoundViolation>, options?: RunOptions) =>
    evidenceWith([found(more)], options).get("OPER-02")?.findings[0]?.replay;

  test("names the requirement, and the scenario that found it where that is another", () => {
    expect(replay({ scenario: ["OPER-16", "OPER-02"] })).toBe("fxconform run --only OPER-02 --seed 1147");
    expect(replay({ scenario: ["OPER-16", "ACAM-03"] })).toBe("fxconform run --only OPER-02,OPER-16 --seed 1147");
    expect(replay({ scenario: [] })).toBe("fxconform run --only OPER-02 --seed 1147");
  });

  test("with the words of this run", () => {
    const options = optionsOf({ replayCommand: "demo", replayArguments: "--runs 3 --amount 1..2" });
    expect(replay({}, options)).toBe("fxconform demo --only OPER-02 --seed 1147 --runs 3 --amount 1..2");
  });
});

describe("what was left out", () => {
  test("by selection, by profile", () => {
    const chosen = evidenceWith([], optionsOf({ selection: ["OPER-02", "AUTH-01"], profile: "smoke" }));
    expect(chosen.get("OPER-01")?.leftOut).toBe("left out by --only or --exclude");
    expect(chosen.get("OPER-02")?.leftOut).toBe("left out by the profile smoke, which creates nothing");
    expect(chosen.get("AUTH-01")?.leftOut).toBeUndefined();
    expect([...evidenceWith([]).values()].filter(({ leftOut }) => leftOut !== undefined)).toEqual([]);
  });
});

test("what another part of the run asks is told apart from what nobody asks", () => {
  const shard = { index: 1, count: 2, elsewhere: ["AUTH-02", "OPER-01"] } as const;
  const leftOut = (profile: "smoke" | "full") => {
    const evidence = evidenceWith([], optionsOf({ selection: ["AUTH-01"], profile, shard }));
    return (["AUTH-01", "AUTH-02", "OPER-01", "OPER-02"] as const).map((id) => evidence.get(id)?.leftOut);
  };
  const nobody = "left out by --only or --exclude";
  expect(leftOut("full")).toEqual([undefined, askedElsewhere, askedElsewhere, nobody]);
  expect(leftOut("smoke")).toEqual([
    undefined,
    askedElsewhere,
    "left out by the profile smoke, which creates nothing",
    nobody,
  ]);
});

test("an untestable target is a reason for every requirement, after its own", () => {
  const evidence = evidenceWith([], optionsOf(), "ECONNREFUSED");
  expect(evidence.get("OPER-01")?.inconclusive).toEqual([{ reason: "ECONNREFUSED", cutShort: false }]);
  expect(evidence.get("OPER-02")?.inconclusive.map(({ reason }) => reason)).toEqual(["unsure", "ECONNREFUSED"]);
});

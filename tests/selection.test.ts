import { describe, expect, test } from "vitest";
import type { RunSettings } from "../model/target.ts";
import {
  judgedInSmoke,
  type RequirementId,
  requirementIds,
  requirementOf,
  standingOperations,
} from "../spec/catalogue.ts";
import { endpoints } from "../spec/endpoints.ts";
import { inputKindOf } from "../spec/refusals.ts";
import { scenarios } from "../suites/index.ts";
import type { Scenario } from "../suites/kit/scenario.ts";
import { mostUrgentFirst, selectScenarios } from "../suites/run/selection.ts";

type Settings = Pick<RunSettings, "profile" | "selection" | "scenarios" | "fewest">;
function full(selection: readonly RequirementId[], more: Partial<Settings> = {}): Settings {
  return {
    profile: "full",
    selection,
    ...more,
  };
}

function plan(id: string, more: Partial<Scenario> & Pick<Scenario, "checks" | "operations">) {
  return {
    id,
    title: id,
    run: async () => undefined,
    ...more,
  };
}

const toAcam = ["createCounterparty", "createOperation", "addAcamItem"] as const;
const inSmokeToo = { profiles: ["smoke", "full"] } as const;
const few = [
  plan("token", {
    ...inSmokeToo,
    checks: ["AUTH-02"],
    operations: ["createToken"],
    phase: "before",
  }),
  plan("create", {
    checks: ["OPER-16"],
    operations: ["createCounterparty", "createOperation"],
  }),
  plan("acam", { checks: ["ACAM-03"], operations: toAcam }),
  plan("list", { checks: ["BATCH-24"], operations: ["createBatch", "listBatches"] }),
  plan("smoke only", { checks: ["BATCH-20"], operations: ["listBatches"], profiles: ["smoke"] }),
  plan("bad token", { checks: ["AUTH-32"], operations: ["createBatch"], phase: "last" }),
];

function idsOf(settings: Settings): readonly string[] {
  return selectScenarios(few, settings).scenarios.map(({ id }) => id);
}

describe("a run", () => {
  test.each<{ selection: readonly RequirementId[]; wanted: readonly string[] }>([
    { selection: ["ACAM-03", "AUTH-02"], wanted: ["token", "acam"] },
    { selection: ["HTTP-01"], wanted: ["token", "create", "acam", "list"] },
    { selection: ["AUTH-04"], wanted: ["create", "acam", "list"] },
    { selection: ["AUTH-32"], wanted: ["bad token"] },
    { selection: ["OPER-20"], wanted: [] },
  ])("of $selection takes every scenario that can show it: $wanted", ({ selection, wanted }) => {
    expect(idsOf(full(selection))).toEqual(wanted);
  });

  test("selects the scenarios of its profile; the default is full", () => {
    expect(idsOf(full(["HTTP-01"], { profile: "smoke" }))).toEqual(["token", "smoke only"]);
    expect(idsOf(full(["BATCH-20"], { profile: "smoke" }))).toEqual(["smoke only"]);
    expect(idsOf(full(["BATCH-24"], { profile: "smoke" }))).toEqual([]);
  });

  test("selects named scenarios in addition", () => {
    expect(idsOf(full(["AUTH-02"], { scenarios: ["create", "unknown"] }))).toEqual([
      "token",
      "create",
    ]);
    expect(idsOf(full([], { scenarios: ["list"], profile: "smoke" }))).toEqual([]);
  });
});

describe("a run with the fewest scenarios", () => {
  const fewest = true;

  test.each<{ selection: readonly RequirementId[]; wanted: readonly string[] }>([
    { selection: ["OPER-02"], wanted: ["create"] },
    { selection: ["HTTP-01"], wanted: ["token", "acam", "list"] },
    // Scenarios that run in any case cover the operations of this requirement.
    { selection: ["ACAM-03", "OPER-02"], wanted: ["acam"] },
    { selection: ["AUTH-32", "BATCH-01"], wanted: ["list", "bad token"] },
  ])(
    "of $selection takes the fewest that cover each operation: $wanted",
    ({ selection, wanted }) => {
      expect(idsOf(full(selection, { fewest }))).toEqual(wanted);
    },
  );

  test("takes two of those that list a standing requirement, which use the fewest operations", () => {
    const own = (id: string, ...operations: Scenario["operations"]) =>
      plan(id, { checks: ["OPER-09"], operations });
    const all = [
      own("d", ...toAcam, "createBatch"),
      own("b", "createCounterparty", "createOperation"),
      own("c", ...toAcam),
      own("a", "createOperation"),
    ];
    const chosen = selectScenarios(all, full(["OPER-09"], { fewest }));
    expect(chosen.scenarios.map(({ id }) => id)).toEqual(["b", "a"]);
    expect(chosen.reduced).toEqual(["OPER-09"]);
    const alone = selectScenarios(all.slice(0, 1), full(["OPER-09"], { fewest }));
    expect(alone.scenarios.map(({ id }) => id)).toEqual(["d"]);
    expect(alone.reduced).toEqual([]);
  });
});

describe("the scenarios of the suites", () => {
  test("check every requirement, and in smoke all that smoke can judge", () => {
    for (const fewest of [false, true]) {
      const without = (profile: "smoke" | "full") =>
        requirementIds.filter(
          (id) =>
            selectScenarios(scenarios, { profile, selection: [id], fewest }).scenarios.length === 0,
        );
      expect(without("full")).toEqual([]);
      expect(without("smoke").filter(judgedInSmoke)).toEqual([]);
    }
  });

  test("cover each operation of a standing requirement", () => {
    for (const id of requirementIds) {
      const { scenarios: chosen } = selectScenarios(scenarios, full([id], { fewest: true }));
      const covered = new Set(chosen.flatMap(({ operations }) => operations));
      expect(standingOperations(id).filter((operation) => !covered.has(operation))).toEqual([]);
    }
  });
});

test("a scenario is the more urgent the longer the row of those is that come after it; what takes long goes before all", () => {
  const usual = plan("usual", { checks: [], operations: [] });
  const awaited = plan("awaited", { checks: [], operations: [] });
  const second = plan("second", { checks: [], operations: [], after: [awaited] });
  const third = plan("third", { checks: [], operations: [], after: [usual, second] });
  const long = plan("long", { checks: [], operations: [], isFirst: true });
  expect(
    mostUrgentFirst([third, usual, second, awaited, long]).map(({ scenario, urgency }) => [
      scenario.id,
      urgency,
    ]),
  ).toEqual([
    ["long", expect.any(Number)],
    ["awaited", 3],
    ["usual", 2],
    ["second", 2],
    ["third", 1],
  ]);
});

test("what flows beside bad credentials has no verdict to lose: the main phase judges its requirements, too", () => {
  const checked = scenarios
    .filter(({ phase = "main" }) => phase === "main")
    .flatMap(({ checks }) => checks);
  // Each refusal at an endpoint shows the shape of its errors.
  const shapes = checked
    .filter((one) => inputKindOf(one) !== undefined)
    .flatMap((one) => requirementOf(one).operations.map((name) => endpoints[name].errorShape));
  const inMain = [...checked, ...shapes];
  const beside = scenarios.filter(({ phase }) => phase === "beside");
  expect(beside.length).toBeGreaterThan(0);
  for (const { id, checks } of beside)
    expect(
      checks.filter((one) => !inMain.includes(one)),
      id,
    ).toEqual([]);
});

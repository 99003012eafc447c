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
import { mostAlone, mostUrgentFirst, selectScenarios } from "../suites/run/selection.ts";
import { stepsFor } from "../suites/calibration/calibration.ts";

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
    cost: 1,
    chain: 1,
    run: async () => undefined,
    ...more,
  };
}

/** The requests for a token, which no scenario sends. */
const sessionRequests = 2;

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
    cost: 20,
  }),
  plan("acam", { checks: ["ACAM-03"], operations: toAcam, cost: 5 }),
  plan("list", { checks: ["BATCH-24"], operations: ["createBatch", "listBatches"], cost: 10 }),
  plan("smoke only", { checks: ["BATCH-20"], operations: ["listBatches"], profiles: ["smoke"] }),
  plan("bad token", { checks: ["AUTH-32"], operations: ["createBatch"], phase: "last" }),
];

function idsOf(settings: Settings): readonly string[] {
  return selectScenarios(few, settings).scenarios.map(({ id }) => id);
}

describe("a run", () => {
  test.each<{ selection: readonly RequirementId[]; wanted: readonly string[] }>([
    { selection: ["AUTH-02"], wanted: ["token"] },
    { selection: ["OPER-16"], wanted: ["create"] },
    { selection: ["ACAM-03", "AUTH-02"], wanted: ["token", "acam"] },
    { selection: ["OPER-02"], wanted: ["create", "acam"] },
    { selection: ["BATCH-34"], wanted: ["list"] },
    { selection: ["HTTP-01"], wanted: ["token", "create", "acam", "list"] },
    { selection: ["AUTH-04"], wanted: ["create", "acam", "list"] },
    { selection: ["AUTH-32"], wanted: ["bad token"] },
    { selection: ["OPER-20"], wanted: [] },
    { selection: [], wanted: [] },
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
    { selection: ["OPER-16"], wanted: ["create"] },
    { selection: ["OPER-02"], wanted: ["acam"] },
    { selection: ["HTTP-01"], wanted: ["token", "acam", "list"] },
    // Scenarios that run in any case cover the operations of this requirement.
    { selection: ["OPER-16", "OPER-02"], wanted: ["create"] },
    { selection: ["OPER-16", "HTTP-02"], wanted: ["token", "create", "acam", "list"] },
    { selection: ["AUTH-32", "BATCH-01"], wanted: ["list", "bad token"] },
  ])(
    "of $selection takes the cheapest that cover each operation: $wanted",
    ({ selection, wanted }) => {
      expect(idsOf(full(selection, { fewest }))).toEqual(wanted);
    },
  );

  test("selects further scenarios that check a standing requirement themselves, as long as they are cheap", () => {
    const own = (id: string, cost: number) =>
      plan(id, { checks: ["OPER-09"], operations: ["createOperation"], cost });
    const chosen = selectScenarios(
      [own("d", 70), own("b", 20), own("a", 10), own("c", 30)],
      full(["OPER-09"], { fewest }),
    );
    expect(chosen.scenarios.map(({ id }) => id)).toEqual(["b", "a"]);
    expect(chosen.reduced).toEqual(["OPER-09"]);
    const dear = selectScenarios([own("d", 70)], full(["OPER-09"], { fewest }));
    expect(dear.scenarios.map(({ id }) => id)).toEqual(["d"]);
    expect(dear.reduced).toEqual([]);
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

  test("all run if everything is selected", () => {
    expect(selectScenarios(scenarios, full(requirementIds)).scenarios).toEqual(scenarios);
  });

  test("cover each operation of a standing requirement, at a bounded cost", () => {
    const dear = requirementIds.filter((id) => {
      const { scenarios: chosen } = selectScenarios(scenarios, full([id], { fewest: true }));
      const covered = new Set(chosen.flatMap(({ operations }) => operations));
      expect(standingOperations(id).filter((operation) => !covered.has(operation))).toEqual([]);
      const calibrated = stepsFor(chosen, [id]).length;
      const sent = chosen.reduce((sum, { cost }) => sum + cost, 0);
      return sent + calibrated + sessionRequests > mostAlone;
    });
    expect(dear).toEqual([]);
  });
});

test("a scenario is as urgent as the longest chain that begins with it", () => {
  const short = { id: "short", chain: 1 };
  const first = { id: "first", chain: 4 };
  const second = { id: "second", chain: 6, after: [first] as never };
  const usual = { id: "usual", chain: 3, after: [] };
  expect(
    mostUrgentFirst([short, second, usual, first] as never).map(({ scenario, urgency }) => [
      scenario.id,
      urgency,
    ]),
  ).toEqual([
    ["first", 10],
    ["second", 6],
    ["usual", 3],
    ["short", 1],
  ]);
});

test("a scenario is as urgent as what awaits it", () => {
  const awaited = { id: "awaited", chain: 4 };
  const waiting = { id: "waiting", chain: 6, awaits: [awaited] as never };
  const order = mostUrgentFirst([waiting, awaited] as never).map(({ scenario }) => scenario.id);
  expect(order).toEqual(["awaited", "waiting"]);
});

test("what waits until something is old begins before all others", () => {
  const usual = { id: "usual", chain: 3 };
  const waiting = { id: "waiting", chain: 2, isFirst: true };
  const order = mostUrgentFirst([usual, waiting] as never).map(({ scenario }) => scenario.id);
  expect(order).toEqual(["waiting", "usual"]);
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

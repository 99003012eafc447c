import { describe, expect, test } from "vitest";
import type { RequirementId } from "../spec/catalogue.ts";
import { operationNames } from "../spec/operations.ts";
import { selectScenarios, operationsOf, standingOperations, type Scenario, type ScenarioPlan } from "./scenario.ts";

const scenario = (name: string, plan: ScenarioPlan): Scenario<undefined> => ({
  name,
  ...plan,
  ask: async () => undefined,
});

const all = [
  scenario("token", {
    requirements: ["AUTH-02"],
    operations: ["createToken"],
    profiles: ["smoke", "full"],
    phase: "before",
  }),
  scenario("create", { requirements: ["OPER-16"], operations: ["createCounterparty", "createOperation"] }),
  scenario("acam", { requirements: ["ACAM-03"], operations: ["createCounterparty", "createOperation", "addAcamItem"] }),
  scenario("list", { requirements: ["BATCH-24"], operations: ["createBatch", "listBatches"], profiles: ["full"] }),
  scenario("only smoke", { requirements: ["BATCH-20"], operations: ["listBatches"], profiles: ["smoke"] }),
];

const selected = (ids: readonly RequirementId[], profile: "smoke" | "full" = "full") =>
  selectScenarios(all, new Set(ids), profile).map(({ name }) => name);

describe("the scenarios that a selection needs", () => {
  test.each([
    [["AUTH-02"], ["token"]],
    [["OPER-16"], ["create"]],
    [
      ["ACAM-03", "AUTH-02"],
      ["token", "acam"],
    ],
    [["OPER-02"], ["create", "acam"]],
    [["CPTY-02"], ["create", "acam"]],
    [["BATCH-34"], ["list"]],
    [["AUTH-01"], ["token"]],
    [["HTTP-01"], ["token", "create", "acam", "list"]],
    [["HTTP-05"], ["token", "create", "acam", "list"]],
    [["AUTH-04"], ["create", "acam", "list"]],
    [["OPER-20"], []],
    [[], []],
  ] as const)("%j: %j", (ids, names) => {
    expect(selected(ids)).toEqual(names);
  });

  test("are those of the profile; without a word a scenario is for the full one", () => {
    expect(selected(["HTTP-01"], "smoke")).toEqual(["token", "only smoke"]);
    expect(selected(["BATCH-20"], "smoke")).toEqual(["only smoke"]);
    expect(selected(["BATCH-24"], "smoke")).toEqual([]);
  });
});

describe("the operations whose traffic judges a requirement", () => {
  test.each([
    ["HTTP-05", operationNames],
    ["HTTP-04", operationNames],
    ["AUTH-04", operationNames.filter((name) => name !== "createToken")],
    ["AUTH-12", ["createToken"]],
    ["BATCH-34", ["createBatch", "listBatches"]],
    ["BATCH-06", ["listBatches", "createBatch"]],
    ["OPER-20", []],
    ["AUTH-20", []],
  ] as const)("%s", (id, operations) => {
    expect([...new Set(standingOperations(id))]).toEqual(operations);
  });
});

describe("the operations that a requirement speaks of", () => {
  test.each([
    ["HTTP-04", operationNames],
    ["HTTP-07", []],
    ["AUTH-05", ["createToken"]],
    ["AUTH-20", ["createToken"]],
    ["CPTY-11", ["createCounterparty"]],
    ["OPER-20", ["createOperation"]],
    ["ACAM-03", ["addAcamItem"]],
    ["BATCH-07", ["createBatch", "listBatches"]],
    ["BATCH-28", ["listBatches"]],
  ] as const)("%s", (id, operations) => {
    expect([...new Set(operationsOf(id))]).toEqual(operations);
  });
});

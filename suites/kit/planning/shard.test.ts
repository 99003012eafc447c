import { describe, expect, test } from "vitest";
import { requirementIds } from "../../../spec/catalogue.ts";
import { scenarios } from "../../index.ts";
import { selectScenarios } from "./selection.ts";
import { scenariosOfShard } from "./shard.ts";

const shardsOf = (count: number, from = scenarios) =>
  Array.from({ length: count }, (_, i) => scenariosOfShard(from, { index: i + 1, count }));
const cost = (some: readonly { readonly cost: number }[]): number => some.reduce((sum, one) => sum + one.cost, 0);

test("without a shard every scenario runs", () => {
  expect(scenariosOfShard(scenarios, undefined)).toBe(scenarios);
});

describe.each([1, 2, 3, 4, 7, 99])("%i shards", (count) => {
  const shards = shardsOf(count);

  test("run each scenario once", () => {
    expect(shards.flat().toSorted(byId)).toEqual(scenarios.toSorted(byId));
    expect(shards.flat()).toHaveLength(scenarios.length);
  });

  test("keep together what waits for each other", () => {
    for (const shard of shards)
      for (const one of shard) for (const earlier of one.after ?? []) expect(shard).toContain(earlier);
  });

  test("present bad credentials in one of them", () => {
    expect(shards.filter((shard) => shard.some(({ phase }) => phase === "last"))).toHaveLength(1);
  });
});

test.each([2, 3, 4])("%i shards share the cost evenly", (count) => {
  for (const shard of shardsOf(count)) expect(cost(shard)).toBeLessThan((1.1 * cost(scenarios)) / count);
});

test("the shards of a selection share its scenarios", () => {
  const few = selectScenarios(scenarios, { profile: "full", selection: ["OPER-02"], fewest: true }).scenarios;
  expect(shardsOf(3, few).flat().toSorted(byId)).toEqual(few.toSorted(byId));
  const all = selectScenarios(scenarios, { profile: "full", selection: requirementIds }).scenarios;
  expect(shardsOf(3, all)).toEqual(shardsOf(3));
});

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1);

import { expect, test } from "vitest";
import { exchangeOf } from "../../model/testing/exchanges.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { Json } from "../../spec/json.ts";
import type { ScenarioCore } from "../run/context.ts";
import { observeList } from "./batches.scenario.ts";

const created = ["a", "b", "c", "d", "e", "f"];

/** The exchanges of batches that were created one after the other. */
function inTurn(ids: readonly string[]): readonly Exchange[] {
  return ids.map((id, index) => exchangeOf("createBatch", { json: { id }, at: index * 10 }));
}

function observed(
  ids: readonly string[],
  more: Readonly<Record<string, Json>> = {},
  of = created,
  at = inTurn,
) {
  const list = exchangeOf("listBatches", {
    json: { batches: ids.map((id) => ({ id })), count: ids.length, total: ids.length, ...more },
  });
  const lines: string[] = [];
  const observe: ScenarioCore["observe"] = (question, inCase, answer) =>
    void lines.push(`${question} ${inCase}: ${answer}`);
  observeList({ observe }, list, at(of));
  return lines;
}

test.each([
  [created, "oldest first"],
  [created.toReversed(), "newest first"],
  [["b", "a", "c", "d", "e", "f"], "neither by age"],
  [["old", ...created], "oldest first"],
])("the order of %j is %s", (ids, order) => {
  expect(observed(ids)).toContain(`OPEN-17 batches of a run: ${order}`);
});

test("the order of few batches, or of some of them, says nothing", () => {
  const orders = [observed(["a", "b"], {}, ["a", "b", "a"]), observed(created.slice(1))].flat();
  expect(orders.filter((line) => line.startsWith("OPEN-17"))).toEqual([]);
});

test("what a short list counts, and whether it has cursors", () => {
  expect(observed(["a"], { total: 7 }, [])).toEqual([
    "OPEN-16 count of a short list: the batches shown",
    "OPEN-16 total of a short list: more than the batches shown",
    "OPEN-18 a short list: nothing looks like a cursor",
  ]);
  expect(observed(["a"], { count: 0, total: "1", next: null }, [])).toEqual([
    "OPEN-16 count of a short list: fewer than the batches shown",
    "OPEN-16 total of a short list: no number",
    "OPEN-18 a short list: member next",
  ]);
});

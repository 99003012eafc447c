import { describe, expect, test } from "vitest";
import type { Json } from "../../spec/json.ts";
import {
  createKnownIds,
  counterpartyNamedIn,
  isOfInvalidOperation,
  isOfInvalidRequest,
  mostRemembered,
  pairKey,
  remember,
} from "./known-ids.ts";

const batch = (id: Json, pair = "USDBRL"): Json => ({ id, currency_pair: pair });

describe("a listed batch (INT-12)", () => {
  test("of a pair that an invalid request named may be ours, also where its id is not a string", () => {
    const ids = createKnownIds();
    ids.taint("batch of pair", pairKey({ currency_pair: "XXXYYY" }));
    expect(isOfInvalidRequest(batch("b-1", "XXXYYY"), ids)).toBe(true);
    expect(isOfInvalidRequest(batch(7, "XXXYYY"), ids)).toBe(true);
    expect(isOfInvalidRequest(batch("b-1"), ids)).toBe(false);
  });

  test("that a valid request made is the server's, whatever an invalid one did since", () => {
    const ids = createKnownIds();
    ids.remember("batch", "b-1", '"USDBRL"');
    ids.taint("batch", "b-1");
    ids.taint("batch of pair", pairKey({ currency_pair: "USDBRL" }));
    expect(isOfInvalidRequest(batch("b-1"), ids)).toBe(false);
    expect(isOfInvalidRequest(batch("b-2"), ids)).toBe(true);
  });
});

test("an operation in a batch is ours (INT-40) where an invalid request made it, or may have made it a moment ago", () => {
  const operation = { operation_id: "o-1", counterparty_id: "c-1" };
  const ids = createKnownIds();
  ids.taint("operation", "o-2");
  expect(isOfInvalidOperation({ operation_id: "o-2" }, ids)).toBe(true);
  ids.taint("operation of counterparty", "c-1");
  expect(isOfInvalidOperation(operation, ids)).toBe(true);
  expect(isOfInvalidOperation({ ...operation, counterparty_id: "c-2" }, ids)).toBe(false);
  expect(isOfInvalidOperation({ ...operation, operation_id: 3 }, ids)).toBe(false);
  expect(isOfInvalidOperation(undefined, ids)).toBe(false);
  ids.taint("counterparty", "c-3");
  expect(isOfInvalidOperation({ counterparty_id: "c-3" }, ids)).toBe(true);
});

test.each([
  [{ counterparty_id: "c-1" }, "c-1"],
  ["{'counterparty_id' : 'c-1'}", "c-1"],
  [new TextEncoder().encode('{"counterparty_id":"c-1","more":"é'), "c-1"],
  [{ counterparty_id: 7 }, undefined],
])("the counterparty that %j names is %s", (body, named) => {
  expect(counterpartyNamedIn(body)).toBe(named);
});

test("the newest values are remembered, and what is set again is new", () => {
  const map = new Map<number, string>();
  for (let n = 0; n < mostRemembered; n += 1) remember(map, n, "first");
  expect(map.size).toBe(mostRemembered);
  remember(map, 0, "again");
  expect([map.size, map.get(0), map.has(1)]).toEqual([mostRemembered, "again", true]);
  remember(map, mostRemembered, "first");
  expect([map.size, map.has(0), map.has(1), map.has(2)]).toEqual([
    mostRemembered,
    true,
    false,
    true,
  ]);
});

test("what the target gave out or shows as an id is given, whatever its kind", () => {
  const { isGiven, remember, sawList, taint } = createKnownIds();
  expect(["null", "7", "b-1"].filter(isGiven)).toEqual([]);
  remember("counterparty", "null", "x");
  taint("operation", "undefined");
  sawList({ batches: [{ id: 7, operations: [{ operation_id: "NaN", status: "none" }] }] });
  expect(["null", "undefined", "7", "NaN", "none", "x"].filter(isGiven)).toEqual([
    "null",
    "undefined",
    "7",
    "NaN",
  ]);
  sawList({ batches: [] });
  expect(isGiven("7")).toBe(false);
});

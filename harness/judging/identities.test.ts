import { expect, test } from "vitest";
import { createIdentities } from "./identities.ts";

test("an id belongs to the data that it was first given to, within its kind", () => {
  const ids = createIdentities();
  expect(ids.known("operation", "a")).toBe(false);
  expect(ids.clash("operation", "a", "one")).toBeUndefined();
  ids.remember("operation", "a", "one");
  ids.remember("operation", "a", "two");
  expect(ids.known("operation", "a")).toBe(true);
  expect(ids.known("batch", "a")).toBe(false);
  expect(ids.clash("operation", "a", "one")).toBeUndefined();
  expect(ids.clash("operation", "a", "two")).toBe("one");
  expect(ids.clash("batch", "a", "two")).toBeUndefined();
  expect(ids.clash("operation", "__proto__", "two")).toBeUndefined();
});

test("what invalid requests created or named is remembered, each kind by itself", () => {
  const ids = createIdentities();
  expect([ids.isTainted("batch", "a"), ids.isInvalidPair("a"), ids.mayHaveInvalidOperations("a")]).toEqual([
    false,
    false,
    false,
  ]);
  ids.taint("batch", "a");
  expect([ids.isTainted("batch", "a"), ids.isTainted("operation", "a"), ids.known("batch", "a")]).toEqual([
    true,
    false,
    false,
  ]);
  ids.sentInvalidPair("b");
  ids.sentInvalidOperation("c");
  expect(["a", "b", "c"].map(ids.isInvalidPair)).toEqual([false, true, false]);
  expect(["a", "b", "c"].map(ids.mayHaveInvalidOperations)).toEqual([false, false, true]);
});

test("whether the list was read is known", () => {
  const ids = createIdentities();
  expect(ids.hasSeenList()).toBe(false);
  ids.sawList();
  expect(ids.hasSeenList()).toBe(true);
});

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

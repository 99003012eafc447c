import { escaped, partsOf, valueAt } from "../spec/json.ts";
import { expect, test } from "vitest";
import { withValue } from "./pointer.ts";

test("escaped names are read back unchanged", () => {
  for (const name of ["a", "a/b", "m~n", "~1", "~0/", ""])
    expect(partsOf(`#/${escaped(name)}`)).toEqual([name]);
  expect(partsOf("")).toEqual([]);
});

test("values are found by their own names only", () => {
  expect(valueAt({ a: { b: null } }, "/a/b")).toBeNull();
  expect(valueAt({ a: [{ "b/c": 1, "d~e": 2 }] }, "/a/0/b~1c")).toBe(1);
  expect(valueAt({ a: 1 }, "")).toEqual({ a: 1 });
  for (const pointer of ["/b", "/a/b", "/toString", "/a/constructor"])
    expect(valueAt({ a: 1 }, pointer)).toBeUndefined();
});

test("values are replaced in place, added at the end, removed", () => {
  expect(JSON.stringify(withValue({ a: 1, b: 2 }, "/a", 3))).toBe('{"a":3,"b":2}');
  expect(JSON.stringify(withValue({ a: 1 }, "/b", null))).toBe('{"a":1,"b":null}');
  expect(withValue({ a: 1, b: { c: 1 } }, "/b/c", undefined)).toEqual({ a: 1, b: {} });
  expect(withValue({ a: 1 }, "/b", undefined)).toEqual({ a: 1 });
  expect(withValue({ a: 1 }, "", 2)).toBe(2);
  expect(() => withValue({ a: 1 }, "/a/b", 2)).toThrow("/a/b: is not in the body");
});

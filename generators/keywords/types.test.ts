import { expect, test } from "vitest";
import type { Json } from "../../spec/contract.ts";
import { hasType, typeNameOf, typesOf } from "./types.ts";

const values: readonly (readonly [value: Json, types: readonly string[]])[] = [
  [null, ["null"]],
  [true, ["boolean"]],
  [false, ["boolean"]],
  [0, ["number", "integer"]],
  [2.0, ["number", "integer"]],
  [-3, ["number", "integer"]],
  [2.5, ["number"]],
  ["", ["string"]],
  ["1", ["string"]],
  [[], ["array"]],
  [[null], ["array"]],
  [{}, ["object"]],
  [{ a: 1 }, ["object"]],
];

test.each(values)("%j has exactly the types %j", (value, types) => {
  const all = ["null", "boolean", "integer", "number", "string", "array", "object"];
  expect(all.filter((type) => hasType(value, type))).toEqual(all.filter((type) => types.includes(type)));
  expect(typeNameOf(value)).toBe(types[0]);
});

test("no value has a type that JSON does not have", () => {
  for (const [value] of values) for (const type of ["undefined", "", null]) expect(hasType(value, type)).toBe(false);
});

test("a schema admits the types that it names", () => {
  expect(typesOf({ type: "string" })).toEqual(["string"]);
  expect(typesOf({ type: ["string", "null"] })).toEqual(["string", "null"]);
  expect(typesOf({ type: [] })).toEqual([]);
  expect(typesOf({})).toEqual([]);
});

import type { Json } from "../../spec/contract.ts";
import { hasType, typeNameOf, typesOf } from "../keywords/types.ts";
import { valueAt, withValue } from "../pointer.ts";
import type { Mutator } from "./mutation.ts";

/**
 * Replaces the value with values of each wrong JSON type. The first value of a type is made from the right value, to
 * catch servers that convert instead of checking (`"10.5"` for 10.5, `["EFX"]` for "EFX"). The rare ones are empty
 * values, which careless code treats as absent, and other forms of the right value.
 */
export const wrongType: Mutator = ({ pointer, schema }) =>
  wrongValues
    .filter(({ made }) => !typesOf(schema).some((type) => hasType(made(1), type)))
    .map(({ id, made, rare = false }) => ({
      id: `${id} ${pointer}`,
      pointer,
      kind: "type",
      keyword: "type",
      sent: typeNameOf(made(1)),
      rare,
      apply: (body) => withValue(body, pointer, made(valueAt(body, pointer) ?? "text")),
    }));

/** The text split into two halves, like the two codes of a pair. */
const halvesOf = (value: Json): Json => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
};

/** Each wrong value: its name, how it is made from the right value, and whether it is rare. Its type never varies. */
const wrongValues: readonly { readonly id: string; readonly made: (value: Json) => Json; readonly rare?: true }[] = [
  { id: "string", made: (value) => (typeof value === "object" ? JSON.stringify(value) : String(value)) },
  {
    id: "number",
    made: (value) => (typeof value === "string" && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : 12345),
  },
  { id: "boolean", made: () => true },
  { id: "object", made: (value) => ({ value }) },
  { id: "array", made: (value) => [value] },
  { id: "empty string", made: () => "", rare: true },
  { id: "zero", made: () => 0, rare: true },
  { id: "false", made: () => false, rare: true },
  { id: "empty object", made: () => ({}), rare: true },
  { id: "empty array", made: () => [], rare: true },
  {
    id: "whole number as a string",
    made: (value) => String(typeof value === "number" ? Math.trunc(value) : 1),
    rare: true,
  },
  {
    id: "decimals after a comma as a string",
    made: (value) => `${Math.trunc(typeof value === "number" ? value : 1)},5`,
    rare: true,
  },
  { id: "the word NaN as a string", made: () => "NaN", rare: true },
  { id: "one", made: () => 1, rare: true },
  { id: "halves", made: halvesOf, rare: true },
  // Document databases read this as a condition that every value meets.
  { id: "operator", made: () => ({ $gt: "" }), rare: true },
  { id: "reference", made: (value) => ({ id: value }), rare: true },
];

import type { Json } from "../../spec/contract.ts";
import { hasType, typesOf } from "../keywords/types.ts";
import { valueAt, withValue } from "../pointer.ts";
import type { Mutator } from "./mutation.ts";

/**
 * Values of each wrong JSON type: one made from the right value, so that a server that converts instead of checking
 * gives itself away (`"10.5"` for 10.5, `["EFX"]` for "EFX"), the empty one, which careless code takes for nothing,
 * and other ways of saying the same.
 */
export const wrongType: Mutator = ({ pointer, schema }) =>
  impostors
    .filter(({ made }) => !typesOf(schema).some((type) => hasType(made(1), type)))
    .map(({ id, made }) => ({
      id: `${id} ${pointer}`,
      pointer,
      kind: "type",
      keyword: "type",
      apply: (body) => withValue(body, pointer, made(valueAt(body, pointer) ?? "text")),
    }));

/** The text in two, as the codes of a pair are. */
const halvesOf = (value: Json): Json => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
};

const impostors: readonly { readonly id: string; readonly made: (value: Json) => Json }[] = [
  { id: "string", made: (value) => (typeof value === "object" ? JSON.stringify(value) : String(value)) },
  {
    id: "number",
    made: (value) => (typeof value === "string" && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : 12345),
  },
  { id: "boolean", made: () => true },
  { id: "object", made: (value) => ({ value }) },
  { id: "array", made: (value) => [value] },
  { id: "empty string", made: () => "" },
  { id: "zero", made: () => 0 },
  { id: "false", made: () => false },
  { id: "empty object", made: () => ({}) },
  { id: "empty array", made: () => [] },
  { id: "whole number as a string", made: (value) => String(typeof value === "number" ? Math.trunc(value) : 1) },
  { id: "one", made: () => 1 },
  { id: "halves", made: halvesOf },
  { id: "reference", made: (value) => ({ id: value }) },
];

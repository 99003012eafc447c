import type { Json, Schema } from "../../spec/contract.ts";

/** A JSON type as JSON Schema names it. */
export type TypeName = "null" | "boolean" | "integer" | "number" | "string" | "array" | "object";

/** The types that a schema allows, as a list; empty if it has no `type`. */
export const typesOf = (schema: Schema): readonly Json[] => {
  if (schema.type === undefined) return [];
  return Array.isArray(schema.type) ? schema.type : [schema.type];
};

/** Whether a value has a JSON type. */
export function hasType(value: Json, type: Json): boolean {
  if (type === "integer") return Number.isInteger(value);
  return typeNameOf(value) === type;
}

/** The JSON type of a value; `number` also for integers. */
export function typeNameOf(value: Json): Exclude<TypeName, "integer"> {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as "boolean" | "number" | "string" | "object";
}

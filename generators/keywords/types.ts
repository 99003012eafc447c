import type { Json, Schema } from "../../spec/contract.ts";

/** A JSON type as JSON Schema names it. */
export type TypeName = "null" | "boolean" | "integer" | "number" | "string" | "array" | "object";

/** The types that `type` of a schema allows; none where the schema has no `type`. */
export const typesOf = (schema: Schema): readonly Json[] => {
  if (schema.type === undefined) return [];
  return Array.isArray(schema.type) ? schema.type : [schema.type];
};

/** True where the value is of the type. */
export function hasType(value: Json, type: Json): boolean {
  if (type === "integer") return Number.isInteger(value);
  return typeNameOf(value) === type;
}

/** The JSON type of a value; whole numbers are `number`. */
export function typeNameOf(value: Json): Exclude<TypeName, "integer"> {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as "boolean" | "number" | "string" | "object";
}

import * as fc from "fast-check";
import type { Json, Schema } from "../../spec/contract.ts";
import { GeneratorError } from "../error.ts";
import type { Keyword } from "./keyword.ts";
import { hasType, typesOf } from "./types.ts";

/** `$ref` into the same document. */
export const reference: Keyword = {
  decides: (schema) => "$ref" in schema,
  reads: ["$ref"],
  arbitraryOf: (schema, spot) => {
    if (typeof schema.$ref !== "string") throw new GeneratorError(`${spot.pointer}/$ref`, "is not a string");
    return spot.at(schema.$ref);
  },
};

/** `const` and `enum`. */
export const literal: Keyword = {
  decides: (schema) => "const" in schema || "enum" in schema,
  reads: ["const", "enum", "type"],
  arbitraryOf: (schema, { pointer }) => {
    const listed: readonly Json[] = Array.isArray(schema.enum) ? schema.enum : [];
    const values = schema.const === undefined ? listed : [schema.const];
    const possible = values.filter(
      (value) => !("type" in schema) || typesOf(schema).some((type) => hasType(value, type)),
    );
    if (possible.length === 0) throw new GeneratorError(pointer, "lists no value of its type");
    return fc.constantFrom(...possible);
  },
};

/** `anyOf`: a value of one of the schemas. */
export const choice: Keyword = {
  decides: (schema) => "anyOf" in schema,
  reads: ["anyOf"],
  arbitraryOf: (schema, spot) => {
    const schemas = (Array.isArray(schema.anyOf) ? schema.anyOf : []) as readonly Schema[];
    if (schemas.length === 0) throw new GeneratorError(`${spot.pointer}/anyOf`, "is empty");
    return fc.oneof(...schemas.map((one, index) => spot.below(one, "anyOf", String(index))));
  },
};

/** `type` as a list: a value of one of the types. */
export const typeList: Keyword = {
  decides: (schema) => Array.isArray(schema.type),
  reads: ["type"],
  arbitraryOf: (schema, spot) => {
    const types = typesOf(schema);
    if (types.length === 0) throw new GeneratorError(`${spot.pointer}/type`, "is empty");
    return fc.oneof(...types.map((type, index) => spot.below({ type }, "type", String(index))));
  },
};

/** `type: boolean` and `type: null`. */
export const plainType: Keyword = {
  decides: (schema) => schema.type === "boolean" || schema.type === "null",
  reads: ["type"],
  arbitraryOf: (schema) => (schema.type === "null" ? fc.constant(null) : fc.boolean()),
};

import * as fc from "fast-check";
import type { Json } from "../../spec/contract.ts";
import { GeneratorError } from "../error.ts";
import { hasType, typesOf } from "./types.ts";
import type { Keyword } from "./keyword.ts";

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

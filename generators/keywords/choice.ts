import * as fc from "fast-check";
import type { Schema } from "../../spec/contract.ts";
import { GeneratorError } from "../error.ts";
import type { Keyword } from "./keyword.ts";

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

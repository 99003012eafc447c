import * as fc from "fast-check";
import { GeneratorError } from "../error.ts";
import type { Keyword } from "./keyword.ts";
import { typesOf } from "./types.ts";

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

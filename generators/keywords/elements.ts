import * as fc from "fast-check";
import type { Schema } from "../../spec/contract.ts";
import { GeneratorError } from "../error.ts";
import { boundsOf } from "./bounds.ts";
import type { Keyword } from "./keyword.ts";

/** `type: array` with `items`, `minItems` and `maxItems`. @defaultValue up to 5 more than `minItems` */
export const elements: Keyword = {
  decides: (schema) => schema.type === "array",
  reads: ["type", "items", "minItems", "maxItems"],
  arbitraryOf: (schema, spot) => {
    const [minLength, maxLength] = boundsOf(schema, spot, "minItems", "maxItems", 5);
    if (schema.items === undefined) throw new GeneratorError(`${spot.pointer}/items`, "is missing");
    return fc.array(spot.below(schema.items as Schema, "items"), { minLength, maxLength }).map((list) => [...list]);
  },
};

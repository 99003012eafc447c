import { GeneratorError } from "../error.ts";
import type { Keyword } from "./keyword.ts";

/** `$ref` into the same document. */
export const reference: Keyword = {
  decides: (schema) => "$ref" in schema,
  reads: ["$ref"],
  arbitraryOf: (schema, spot) => {
    if (typeof schema.$ref !== "string") throw new GeneratorError(`${spot.pointer}/$ref`, "is not a string");
    return spot.at(schema.$ref);
  },
};

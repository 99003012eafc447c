import * as fc from "fast-check";
import type { Keyword } from "./keyword.ts";

/** `type: boolean` and `type: null`. */
export const plainType: Keyword = {
  decides: (schema) => schema.type === "boolean" || schema.type === "null",
  reads: ["type"],
  arbitraryOf: (schema) => (schema.type === "null" ? fc.constant(null) : fc.boolean()),
};

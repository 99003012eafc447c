import * as fc from "fast-check";
import { boundsOf } from "./bounds.ts";
import type { Keyword } from "./keyword.ts";

/** `type: string` with `minLength` and `maxLength`: printable ASCII. @defaultValue at most 20 more than the least */
export const length: Keyword = {
  decides: (schema) => schema.type === "string",
  reads: ["type", "minLength", "maxLength"],
  arbitraryOf: (schema, spot) => {
    const [minLength, maxLength] = boundsOf(schema, spot, "minLength", "maxLength", 20);
    return fc.string({ unit: "grapheme-ascii", minLength, maxLength, size: "max" });
  },
};

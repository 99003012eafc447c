import { GeneratorError } from "../error.ts";
import { formats } from "../formats/index.ts";
import { arbitraryFrom } from "./placed.ts";
import type { Keyword } from "./keyword.ts";

/** `format` of a string. */
export const format: Keyword = {
  decides: (schema) => schema.type === "string" && "format" in schema,
  reads: ["format", "type"],
  arbitraryOf: (schema, spot) => {
    const named = formats.find((one) => one.name === schema.format);
    if (!named) throw new GeneratorError(`${spot.pointer}/format`, `${JSON.stringify(schema.format)} is not known`);
    return arbitraryFrom(named.source, spot);
  },
};

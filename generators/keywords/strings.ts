import * as fc from "fast-check";
import { GeneratorError } from "../error.ts";
import { formats } from "../formats/index.ts";
import { isMeaning, meanings } from "../meanings/index.ts";
import { boundsOf } from "./bounds.ts";
import type { Keyword } from "./keyword.ts";
import { arbitraryFrom } from "./placed.ts";

/** `x-fxconform-domain`: a value with this meaning, such as a purpose of the configuration. */
export const meaning: Keyword = {
  decides: (schema) => "x-fxconform-domain" in schema,
  reads: ["x-fxconform-domain", "type", "format"],
  arbitraryOf: (schema, spot) => {
    const word = schema["x-fxconform-domain"];
    if (!isMeaning(word))
      throw new GeneratorError(`${spot.pointer}/x-fxconform-domain`, `${JSON.stringify(word)} is not known`);
    return arbitraryFrom(meanings[word], spot);
  },
};

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

/** `type: string` with `minLength` and `maxLength`: printable ASCII. @defaultValue up to 20 more than `minLength` */
export const length: Keyword = {
  decides: (schema) => schema.type === "string",
  reads: ["type", "minLength", "maxLength"],
  arbitraryOf: (schema, spot) => {
    const [minLength, maxLength] = boundsOf(schema, spot, "minLength", "maxLength", 20);
    return fc.string({ unit: "grapheme-ascii", minLength, maxLength, size: "max" });
  },
};

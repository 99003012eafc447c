import { GeneratorError } from "../error.ts";
import { isMeaning, meanings } from "../meanings/index.ts";
import { arbitraryFrom } from "./placed.ts";
import type { Keyword } from "./keyword.ts";

/** `x-fxconform-domain`: a value with this meaning in this run. */
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

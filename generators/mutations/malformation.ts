import { formats } from "../formats/index.ts";
import { withValue } from "../pointer.ts";
import type { Mutator } from "./mutation.ts";

/** A string that is not of the member's format. No server is bound to refuse these (ruling 20). */
export const malformation: Mutator = ({ pointer, schema }) =>
  formats
    .filter(({ name }) => name === schema.format)
    .map(({ malformed }) => ({
      id: `malformed ${pointer}`,
      pointer,
      kind: "format",
      keyword: "format",
      apply: (body) => withValue(body, pointer, malformed),
    }));

import { hasType, typesOf } from "../keywords/types.ts";
import { withValue } from "../pointer.ts";
import type { Mutator } from "./mutation.ts";

/** Replaces the value with null, unless the schema allows null. */
export const nullValue: Mutator = ({ pointer, schema }) =>
  typesOf(schema).some((type) => hasType(null, type))
    ? []
    : [
        {
          id: `null ${pointer}`,
          pointer,
          kind: "null",
          keyword: "type",
          sent: "null",
          rare: false,
          apply: (body) => withValue(body, pointer, null),
        },
      ];

import type { Json } from "../../spec/contract.ts";
import { hasType, typesOf } from "../keywords/types.ts";
import { valueAt, withValue } from "../pointer.ts";
import type { Mutator } from "./mutation.ts";

/**
 * A value of each wrong JSON type, made from the right one, so that a server that converts instead of checking gives
 * itself away: `"10.5"` for 10.5, `["EFX"]` for "EFX".
 */
export const wrongType: Mutator = ({ pointer, schema }) =>
  Object.entries(impostors)
    .filter(([, impostor]) => !typesOf(schema).some((type) => hasType(impostor(1), type)))
    .map(([type, impostor]) => ({
      id: `${type} ${pointer}`,
      pointer,
      kind: "type",
      keyword: "type",
      apply: (body) => withValue(body, pointer, impostor(valueAt(body, pointer) ?? "text")),
    }));

const impostors: Readonly<Record<"string" | "number" | "boolean" | "object" | "array", (value: Json) => Json>> = {
  string: (value) => (typeof value === "object" ? JSON.stringify(value) : String(value)),
  number: (value) => (typeof value === "string" && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : 12345),
  boolean: () => true,
  object: (value) => ({ value }),
  array: (value) => [value],
};

import type * as fc from "fast-check";
import type { Json, Schema } from "../spec/contract.ts";
import { GeneratorError } from "./error.ts";
import { annotations, keywords } from "./keywords/index.ts";
import type { Spot } from "./keywords/keyword.ts";
import { escaped, schemaAt } from "./pointer.ts";
import type { Circumstances } from "./source.ts";

/**
 * The arbitrary of the schema at a pointer into the document, such as `#/components/schemas/Bank`: it draws only values
 * that satisfy the schema. Throws GeneratorError with the pointer of an unknown keyword or of a schema without values.
 */
export function arbitraryOf(document: unknown, reference: string, circumstances: Circumstances): fc.Arbitrary<Json> {
  const at = (target: string, trail: readonly string[]): fc.Arbitrary<Json> => {
    if (trail.includes(target)) throw new GeneratorError(target, "refers to itself");
    return valuesOf(schemaAt(document, target), target, [...trail, target]);
  };
  const valuesOf = (schema: Schema, pointer: string, trail: readonly string[]): fc.Arbitrary<Json> => {
    const spot: Spot = {
      ...circumstances,
      pointer,
      at: (target) => at(target, trail),
      below: (inner, ...path) => valuesOf(inner, [pointer, ...path.map(escaped)].join("/"), trail),
    };
    return keywordOf(schema, pointer).arbitraryOf(schema, spot);
  };
  return at(reference, []);
}

/** The keyword that generates the values. Throws GeneratorError if the schema has a keyword that this one ignores. */
function keywordOf(schema: Schema, pointer: string) {
  const deciding = keywords.find((keyword) => keyword.decides(schema));
  const known = (name: string) => annotations.has(name) || deciding?.reads.includes(name);
  const stray = Object.keys(schema).find((name) => !known(name));
  if (stray !== undefined) throw new GeneratorError(`${pointer}/${escaped(stray)}`, "is an unknown keyword here");
  if (!deciding) throw new GeneratorError(pointer, "does not constrain its values");
  return deciding;
}

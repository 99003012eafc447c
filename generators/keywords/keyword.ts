import type * as fc from "fast-check";
import type { Json, Schema } from "../../spec/contract.ts";
import type { Circumstances } from "../source.ts";

/** A schema at its place in the contract: what its values depend on, and the arbitraries of the schemas below it. */
export interface Spot extends Circumstances {
  /** JSON pointer of the schema. */
  readonly pointer: string;
  /** The arbitrary of a schema below this one; `path` leads to it from here. */
  readonly below: (schema: Schema, ...path: readonly string[]) => fc.Arbitrary<Json>;
  /** The arbitrary of the schema at a pointer, as `$ref` writes it: `#/components/schemas/Bank`. */
  readonly at: (reference: string) => fc.Arbitrary<Json>;
}

/** Makes arbitraries from a keyword of JSON Schema, or from a few that belong together. */
export interface Keyword {
  /** Whether the values of a schema are generated from this keyword. */
  readonly decides: (schema: Schema) => boolean;
  /** All keywords that `arbitraryOf` reads. Any other keyword in the schema is an error, except annotations. */
  readonly reads: readonly string[];
  /** Throws GeneratorError if no value satisfies the schema. */
  readonly arbitraryOf: (schema: Schema, spot: Spot) => fc.Arbitrary<Json>;
}

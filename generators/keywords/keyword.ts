import type * as fc from "fast-check";
import type { Json, Schema } from "../../spec/contract.ts";
import type { Circumstances } from "../source.ts";

/** The place of a schema in the contract, and how to generate from the schemas below it. */
export interface Spot extends Circumstances {
  /** JSON pointer of the schema. */
  readonly pointer: string;
  /** The arbitrary of a schema below this one. */
  readonly below: (schema: Schema, ...path: readonly string[]) => fc.Arbitrary<Json>;
  /** The arbitrary of the schema at a pointer, as `$ref` writes it: `#/components/schemas/Bank`. */
  readonly at: (reference: string) => fc.Arbitrary<Json>;
}

/** A keyword, or a few that only make sense together, turned into an arbitrary. */
export interface Keyword {
  /** True where this keyword decides on the values of the schema. */
  readonly decides: (schema: Schema) => boolean;
  /** All keywords that it reads. Any other keyword in the schema is an error. */
  readonly reads: readonly string[];
  /** Throws GeneratorError where no value satisfies the schema. */
  readonly arbitraryOf: (schema: Schema, spot: Spot) => fc.Arbitrary<Json>;
}

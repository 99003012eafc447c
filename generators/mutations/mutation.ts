import type { Json, Schema } from "../../spec/contract.ts";

/** One change to a valid body. */
export interface Mutation {
  /** Stable and readable: `omit /currency_amount`, `array /bank_account/iban`. */
  readonly id: string;
  /** JSON pointer of the changed member. */
  readonly pointer: string;
  readonly kind: "omit" | "null" | "type" | "format";
  /** The keyword of the request schema that the change breaks; undefined where it breaks none. */
  readonly keyword: "required" | "type" | "format" | undefined;
  /** The changed copy of a body. Throws GeneratorError where the object around the member is not there. */
  readonly apply: (body: Json) => Json;
}

/** A member of a request body, at any depth. */
export interface Member {
  readonly pointer: string;
  /** References followed. */
  readonly schema: Schema;
  readonly required: boolean;
}

/** Makes the changes of one kind to a member. */
export type Mutator = (member: Member) => readonly Mutation[];

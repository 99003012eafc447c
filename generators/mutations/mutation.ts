import type { Json, Schema } from "../../spec/contract.ts";
import type { TypeName } from "../keywords/types.ts";

/** One change to a valid body. */
export interface Mutation {
  /** Stable and readable: `omit /currency_amount`, `array /bank_account/iban`. */
  readonly id: string;
  /** JSON pointer of the changed member. */
  readonly pointer: string;
  readonly kind: "omit" | "null" | "type";
  /** The keyword of the request schema that the change breaks; undefined where it breaks none. */
  readonly keyword: "required" | "type" | undefined;
  /** JSON type of the value that is sent; undefined where the member is left out. */
  readonly sent: Exclude<TypeName, "integer"> | undefined;
  /**
   * A second value of a wrong type, such as an empty or a zero one. Fewer servers take these than the first value of
   * each type, so they are worth a request only where a rule says that they are refused.
   */
  readonly rare: boolean;
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

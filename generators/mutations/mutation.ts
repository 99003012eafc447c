import type { Json, Schema } from "../../spec/contract.ts";
import type { TypeName } from "../keywords/types.ts";

/** One change to a valid body. */
export interface Mutation {
  /** Permanent: `omit /currency_amount`, `array /bank_account/iban`. */
  readonly id: string;
  /** JSON pointer of the changed member. */
  readonly pointer: string;
  readonly kind: "omit" | "null" | "type";
  /** The keyword of the request schema that the change breaks; undefined if it breaks none. */
  readonly keyword: "required" | "type" | undefined;
  /** JSON type of the value that is sent; undefined if the member is left out. */
  readonly sent: Exclude<TypeName, "integer"> | undefined;
  /**
   * A further value of a wrong type, such as an empty string or zero. Fewer servers accept these than the first value
   * of a type, so they are sent only if a rule says that they are refused.
   */
  readonly rare: boolean;
  /** Returns a changed copy of a body. Throws GeneratorError if the body lacks the object that contains the member. */
  readonly apply: (body: Json) => Json;
}

/** A member of a request body, at any depth. */
export interface Member {
  readonly pointer: string;
  /** The schema of the member, with `$ref` resolved. */
  readonly schema: Schema;
  readonly required: boolean;
}

/** Makes the changes of one kind to a member. */
export type Mutator = (member: Member) => readonly Mutation[];

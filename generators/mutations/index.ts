import { nullValue } from "./null.ts";
import { requiredOmission } from "./omission.ts";
import type { Mutator } from "./mutation.ts";
import { wrongType } from "./wrong-type.ts";

/** The makers of invalid bodies. Each change breaks one constraint of the request schema: `required` or `type`. */
export const mutators: readonly Mutator[] = [requiredOmission, nullValue, wrongType];

export { membersOf } from "./members.ts";
export { optionalOmission } from "./omission.ts";
export type { Mutation, Mutator } from "./mutation.ts";

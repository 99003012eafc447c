import { nullValue } from "./null.ts";
import { requiredOmission } from "./omission.ts";
import type { Mutator } from "./mutation.ts";
import { wrongType } from "./wrong-type.ts";

/** The changes that break one constraint of a request schema each: presence or type. */
export const mutators: readonly Mutator[] = [requiredOmission, nullValue, wrongType];

export { membersOf } from "./members.ts";
export { optionalOmission } from "./omission.ts";
export type { Mutation, Mutator } from "./mutation.ts";

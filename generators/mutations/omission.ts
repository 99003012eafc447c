import { withValue } from "../pointer.ts";
import type { Member, Mutation, Mutator } from "./mutation.ts";

/** Leaves out a required member. */
export const requiredOmission: Mutator = (member) => (member.required ? [omission(member)] : []);

/** Leaves out a member that the specification does not call required. */
export const optionalOmission: Mutator = (member) => (member.required ? [] : [omission(member)]);

const omission = ({ pointer, required }: Member): Mutation => ({
  id: `omit ${pointer}`,
  pointer,
  kind: "omit",
  keyword: required ? "required" : undefined,
  sent: undefined,
  rare: false,
  apply: (body) => withValue(body, pointer, undefined),
});

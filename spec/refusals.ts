import { requirementIds, requirementOf, type RequirementId } from "./catalogue.ts";
import { operations } from "./operations.ts";
import { inputKinds, type InputKind } from "./requirement.ts";
import { tokenRefusals } from "./requirements/auth.ts";
import { memberRefusals } from "./requirements/operation.ts";

/**
 * Returns the requirement that a request is refused if the member at a pointer is left out, null or
 * of a wrong type. Returns undefined if an operation does not require this member.
 */
export function memberRefusalAt(
  pointer: string,
  kind: "omit" | "null" | "type",
): RequirementId | undefined {
  return Object.entries(memberRefusals).find(([name]) => pointer === `/${name}`)?.[1][kind];
}

export interface TokenRefusals {
  readonly missing: RequirementId;
  readonly madeUp: RequirementId;
  readonly tampered: RequirementId;
  readonly malformed: RequirementId;
  /** The status that is stated for missing and invalid tokens. Absent if none is stated. */
  readonly exactly?: 401;
}

export { inputKinds, memberRefusals, tokenRefusals };
export type { InputKind } from "./requirement.ts";

/** The requirements that say which requests must be refused. The rule on refusals judges them. */
export const refusalRequirements: readonly RequirementId[] = requirementIds.filter(
  (id) => requirementOf(id).refuses !== undefined,
);

/** The requirements on the refusal of bad keys, or of bad tokens. */
export function credentialRequirements(of: "key" | "token"): readonly RequirementId[] {
  return refusalRequirements.filter((id) => {
    const { refuses, operations: concerned } = requirementOf(id);
    return (
      refuses === "credentials" && concerned.some((name) => operations[name].credential === of)
    );
  });
}

/**
 * Returns what is wrong with the requests that this requirement wants refused, or undefined if the
 * requirement is not about refusals.
 */
export function inputKindOf(requirement: RequirementId): InputKind | undefined {
  const { refuses } = requirementOf(requirement);
  return refuses && inputKinds[refuses];
}

import {
  neededOperations,
  requirementIds,
  requirementOf,
  type RequirementId,
} from "./catalogue.ts";
import { endpoints } from "./endpoints.ts";
import { ownNeeds, type Gap, type OwnNeed } from "./gaps.ts";
import { operationNames, type OperationName } from "./operations.ts";

/** What a verdict takes: a valid request that succeeds, or one that is refused, or a need of its own. */
export interface Need {
  readonly kind: "success" | "refusal" | OwnNeed;
  /** The operations of which any can meet it. */
  readonly at: readonly OperationName[];
}

/**
 * What a verdict on a requirement takes, in the order in which a run meets it: the first need that a
 * run did not meet is why it has no verdict. A check on every response takes a success of any of its
 * operations, and a sequence of requests one of each.
 */
export function needsOf(id: RequirementId): readonly Need[] {
  const { operations, shows, takes } = requirementOf(id);
  const refusing = operationNames.filter((name) => endpoints[name].errorShape === id);
  if (refusing.length > 0) {
    // What is to be refused names what was created before.
    const named = neededOperations(id).filter((name) => !refusing.includes(name));
    return [
      ...named.map((name) => ({ kind: "success", at: [name] }) as const),
      { kind: "refusal", at: refusing },
    ];
  }
  const before = shows === "every exchange" && operations.length > 1 ? [] : neededOperations(id);
  const successes = before.length === 0 ? [operations] : before.map((name) => [name]);
  return [
    ...(operations.length === 0 ? [] : successes).map((at) => ({ kind: "success", at }) as const),
    ...takes.map((kind) => ({ kind, at: operations })),
  ];
}

/** The requirements whose verdict takes at least one of these. */
export function thatTake(...needs: readonly OwnNeed[]): readonly RequirementId[] {
  return requirementIds.filter((id) => requirementOf(id).takes.some((one) => needs.includes(one)));
}

/** Whether a gap may leave a requirement open in a run that concludes that a server conforms. */
export function mayLack(id: RequirementId, gap: Gap): boolean {
  const isOfUser = gap === "bad credentials";
  return (
    isOfUser || requirementOf(id).takes.some((need) => ownNeeds[need].some((one) => one === gap))
  );
}

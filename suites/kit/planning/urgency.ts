import type { Scenario } from "../scenario.ts";

type Link = Pick<Scenario, "chain" | "after">;

/**
 * Scenarios in the order in which they start, each with the urgency of its requests: the length of the longest chain of
 * requests that begins with it, including the scenarios that wait for it. However many requests are in flight, a run
 * takes as long as its longest chain.
 */
export const mostUrgentFirst = <S extends Link>(
  scenarios: readonly S[],
): readonly { readonly scenario: S; readonly urgency: number }[] => {
  const urgencyOf = (scenario: Link): number => {
    const later = scenarios.filter(({ after }) => after?.some((one) => one === scenario) === true);
    return (scenario.chain ?? usualChain) + Math.max(0, ...later.map(urgencyOf));
  };
  return scenarios
    .map((scenario) => ({ scenario, urgency: urgencyOf(scenario) }))
    .sort((a, b) => b.urgency - a.urgency);
};

const usualChain = 3;

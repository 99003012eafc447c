import type { RequirementId } from "../../spec/catalogue.ts";
import { mistakeKey } from "../mistake.ts";
import type { RequestFacts, Trial } from "../request-facts.ts";
import type { Mistake } from "../run.ts";

/** Which responses show which mistake, and which could show it. */
export interface Witness {
  /** The facts of the requests by the ids of their exchanges, in the order of their responses. */
  readonly requests: ReadonlyMap<number, RequestFacts>;
  /** All mistakes by their keys. Some may have no finding, as the number of findings is bounded. */
  readonly mistakes: ReadonlyMap<string, ShownMistake>;
  /** For each requirement, the ids of the responses on which it was judged. */
  readonly judged: ReadonlyMap<RequirementId, readonly number[]>;
}

interface ShownMistake {
  readonly mistake: Mistake;
  /** The ids of the responses that show it. */
  readonly responses: ReadonlySet<number>;
}

/**
 * The facts of this many requests are kept, which is more than a usual run sends. With more
 * requests, the run has no witness.
 */
const mostRequests = 20_000;

/**
 * Notes which responses show which mistake. The result is undefined once there are more requests
 * than it keeps, as a part of them would mislead.
 */
export function createWitness(most = mostRequests) {
  const requests = new Map<number, RequestFacts>();
  const mistakes = new Map<
    string,
    { readonly mistake: Mistake; readonly responses: Set<number> }
  >();
  /** Lists, which take a third of the memory of sets: most responses show many requirements. */
  const judged = new Map<RequirementId, number[]>();
  let isFull = false;

  const forget = (): void => {
    isFull = true;
    for (const all of [requests, mistakes, judged]) all.clear();
  };

  return {
    request: (facts: RequestFacts): void => {
      if (isFull) return;
      if (requests.size < most) requests.set(facts.id, facts);
      else forget();
    },
    /** Notes that requirements were judged on a response. */
    judged: (exchange: number, requirements: readonly RequirementId[]): void => {
      if (isFull) return;
      for (const requirement of requirements) {
        const known = judged.get(requirement) ?? [];
        known.push(exchange);
        judged.set(requirement, known);
      }
    },
    tried: (exchange: number, trial: Trial): void => {
      const facts = requests.get(exchange);
      if (facts !== undefined) requests.set(exchange, { ...facts, trial });
    },
    shows: (exchange: number, mistake: Mistake): void => {
      if (isFull) return;
      const key = mistakeKey(mistake);
      const { responses } = mistakes.get(key) ?? { responses: new Set<number>() };
      mistakes.set(key, { mistake, responses: responses.add(exchange) });
    },
    result: (): Witness | undefined => (isFull ? undefined : { requests, mistakes, judged }),
  };
}

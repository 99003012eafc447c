import type { RequirementId } from "../../spec/catalogue.ts";
import type { JudgedResponse, RequestFacts } from "../request-facts.ts";

/** Knows which responses show a mistake, and which responses could show it. */
export interface Witness {
  /** Ids of the responses that show the mistake with this key. */
  readonly affectedBy: (mistake: string) => ReadonlySet<number>;
  /** The keys of all mistakes, of which some may have no finding, as their number is bounded. */
  readonly mistakes: readonly string[];
  /** Ids of the responses on which at least one of these requirements was judged. */
  readonly judgedBy: (requirements: readonly RequirementId[]) => ReadonlySet<number>;
  /** The facts of the requests by the ids of their exchanges, in the order of their responses. */
  readonly requests: ReadonlyMap<number, RequestFacts>;
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
  const affected = new Map<string, Set<number>>();
  /** Lists, which take a third of the memory of sets: most responses show many requirements. */
  const judged = new Map<RequirementId, number[]>();
  let isFull = false;

  const forget = (): void => {
    isFull = true;
    for (const all of [requests, affected, judged]) all.clear();
  };

  return {
    request: (facts: RequestFacts): void => {
      if (isFull) return;
      if (requests.size < most) requests.set(facts.id, facts);
      else forget();
    },
    judged: ({ exchange, requirements, mistake }: JudgedResponse): void => {
      if (isFull) return;
      for (const requirement of requirements) {
        const known = judged.get(requirement) ?? [];
        known.push(exchange);
        judged.set(requirement, known);
      }
      if (mistake !== undefined)
        affected.set(mistake, (affected.get(mistake) ?? new Set()).add(exchange));
    },
    result: (): Witness | undefined =>
      isFull
        ? undefined
        : {
            requests,
            mistakes: [...affected.keys()],
            affectedBy: (mistake) => affected.get(mistake) ?? new Set(),
            judgedBy: (requirements) => new Set(requirements.flatMap((id) => judged.get(id) ?? [])),
          },
  };
}

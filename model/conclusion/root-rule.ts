import type { RequestFacts } from "../request-facts.ts";
import type { Mistake } from "../run.ts";

/** The mistake as part of which another is reported, because one change of the server mends both. */
export interface Root {
  readonly mistake: Mistake;
  /** The other mistake shows neither where this one is nor how often it occurs. */
  readonly isConsequence?: true;
  /**
   * Whether the response to a request could show it. Absent if the kind of the mistake decides
   * that.
   */
  readonly couldShow?: (request: RequestFacts) => boolean;
}

/** The roots of mistakes, by the keys of the mistakes that are reported as part of them. */
export type Roots = ReadonlyMap<string, Root>;

/** A mistake of a run, and the requests whose responses show it. */
export interface SeenMistake {
  readonly key: string;
  readonly mistake: Mistake;
  readonly requests: readonly RequestFacts[];
}

/** Finds roots among the mistakes of a run. `sent`: all requests. */
export type RootRule = (seen: readonly SeenMistake[], sent: readonly RequestFacts[]) => Roots;

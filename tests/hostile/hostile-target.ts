import type { RequirementId } from "../../spec/catalogue.ts";

/** A running server. */
export interface Running {
  readonly baseUrl: string;
  readonly close: () => Promise<void>;
  /** The requests that the server should not have got, one on each line. */
  readonly complaints?: () => readonly string[];
}

/** How many seconds a run may take, unless the target has its own bound. */
export const usualBound = 12;

/** A server that misbehaves, and the expected result of a run against it. */
export interface HostileTarget {
  readonly id: string;
  /** What the server does, in one sentence. */
  readonly does: string;
  /** The exit code of the run. */
  readonly exits: 0 | 1 | 3;
  /** The requirements that must fail. No others may, besides those in `also`. */
  readonly blamed?: readonly RequirementId[];
  /** Other requirements that may fail. @defaultValue none if `blamed` is given, otherwise any */
  readonly also?: readonly RequirementId[] | "any";
  /** A pattern that the output or a warning must match. */
  readonly says?: RegExp;
  /** How many seconds the run may take on a machine that is not busy. @defaultValue 12 */
  readonly within?: number;
  /** The most memory that the run may hold at once, in megabytes. @defaultValue 650 */
  readonly megabytes?: number;
  /** The profile `smoke` shows the misbehaviour, which keeps the run short. */
  readonly inSmoke?: true;
  /** Further options of the run. */
  readonly options?: readonly string[];
  readonly start: () => Promise<Running>;
}

type Facts = Omit<HostileTarget, "id" | "does" | "exits" | "start">;

function row(exits: 0 | 1 | 3, id: string, does: string, facts: Facts) {
  return {
    by: (start: () => Promise<Running>): HostileTarget => ({ id, does, exits, start, ...facts }),
  };
}

/** A row for a target that a run must pass. */
export const conformant = (id: string, does: string, facts: Facts = {}) => row(0, id, does, facts);

/** A row for a target that a run must fail. */
export function nonconformant(id: string, does: string, facts: Facts = {}) {
  return row(1, id, does, facts);
}

/** A row for a target that a run cannot judge. */
export function inconclusive(id: string, does: string, facts: Facts = {}) {
  return row(3, id, does, facts);
}

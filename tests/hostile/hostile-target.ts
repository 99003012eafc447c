import type { RequirementId } from "../../spec/catalogue.ts";

/** A running server. */
export interface Running {
  readonly baseUrl: string;
  readonly close: () => Promise<void>;
  /** Requests that the server should not have got, one line each. */
  readonly complaints?: () => readonly string[];
}

/** Seconds within which a run must end, unless the target has another bound. */
export const usualBound = 12;

/** A server that misbehaves, and the expected result of a run against it. */
export interface HostileTarget {
  readonly id: string;
  /** What it does, in one sentence. */
  readonly does: string;
  /** The exit code. */
  readonly exits: 0 | 1 | 3;
  /** Requirements that must fail, and no others besides those in `also`. */
  readonly blamed?: readonly RequirementId[];
  /** Other requirements that may fail. @defaultValue none if `blamed` is given, otherwise any */
  readonly also?: readonly RequirementId[] | "any";
  /** A pattern that the output or a warning must match. */
  readonly says?: RegExp;
  /** Seconds within which the run must end, on a machine that is not busy. @defaultValue 12 */
  readonly within?: number;
  /** The most memory that the run may hold at once, in megabytes. @defaultValue 650 */
  readonly megabytes?: number;
  /** The profile `smoke` shows it, so that the run is short. */
  readonly inSmoke?: true;
  /** Additional options of the run. */
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

import type { RequirementId } from "../../spec/catalogue.ts";

/** A server under way. */
export interface Running {
  readonly baseUrl: string;
  /** PEM text that a client has to trust. */
  readonly ca?: string;
  readonly close: () => Promise<void>;
  /** What the server saw that it should not have seen: one line each. */
  readonly complaints?: () => readonly string[];
}

/** Seconds within which a run must have ended where a target says nothing else. */
export const usualBound = 12;

/** A server that misbehaves, and what a run against it must come to. */
export interface HostileTarget {
  readonly id: string;
  /** What it does. */
  readonly does: string;
  /** The exit codes that are right for it. */
  readonly exits: readonly (0 | 1 | 3)[];
  /** Requirements that must fail, and no others besides those in `also`. */
  readonly blamed?: readonly RequirementId[];
  /** Requirements that may fail besides. @defaultValue none where `blamed` is given, else any */
  readonly also?: readonly RequirementId[] | "any";
  /** Words that the summary or a finding must say. */
  readonly says?: RegExp;
  /** Seconds after which the run must have ended, on a machine that is not busy. @defaultValue 12 */
  readonly within?: number;
  /** The most memory that the run may hold at once, in megabytes. @defaultValue 650 */
  readonly megabytes?: number;
  /** Takes a minute by its nature; run where FXCONFORM_LONG is set. */
  readonly isLong?: true;
  /** Options of the run besides the usual ones. */
  readonly options?: readonly string[];
  readonly start: () => Promise<Running>;
}

type Facts = Omit<HostileTarget, "id" | "does" | "exits" | "start">;

/** Makes a row of a table of hostile targets, of which several exit codes are right. */
export const either = (exits: HostileTarget["exits"], id: string, does: string, facts: Facts = {}) => ({
  by: (start: () => Promise<Running>): HostileTarget => ({ id, does, exits, start, ...facts }),
});

/** Makes a row for a target that no run blames. */
export const conformant = (id: string, does: string, facts: Facts = {}) => either([0], id, does, facts);

/** Makes a row for a target in which a run finds failures. */
export const nonconformant = (id: string, does: string, facts: Facts = {}) => either([1], id, does, facts);

/** Makes a row for a target that cannot be judged. */
export const inconclusive = (id: string, does: string, facts: Facts = {}) => either([3], id, does, facts);

import { defined } from "./defined.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import type { Gap } from "../spec/gaps.ts";
import type { Finding } from "./run.ts";

/**
 * How a requirement is broken, in words for people. Without `cause`, only the same message has the
 * same cause.
 */
export type Violation = Pick<
  Finding,
  "message" | "expected" | "actual" | "pointer" | "cause" | "deviation"
>;

/** A requirement is broken (`violation`), has no verdict (`noVerdict`, the reason), or holds. */
export interface Judgement {
  readonly requirement: RequirementId;
  readonly violation?: Violation;
  readonly noVerdict?: string;
  /** What was missing, with `noVerdict`, if that is nobody's fault (INT-57). */
  readonly gap?: Gap;
}

/** Why a requirement has no verdict. `cutShort`: although it was seen to hold. */
export interface Unmet extends Judgement {
  readonly noVerdict: string;
  readonly cutShort?: true;
}

export const holds = (requirement: RequirementId): Judgement => ({ requirement });

export function broken(requirement: RequirementId, violation: Violation): Judgement {
  return {
    requirement,
    violation,
  };
}

/**
 * `gap`: what was missing, if that is nobody's fault; without it, the server gets no verdict as a
 * whole (INT-57).
 */
export function noVerdict(requirement: RequirementId, reason: string, gap?: Gap): Unmet {
  return {
    requirement,
    noVerdict: reason,
    ...defined({ gap }),
  };
}

import { defined } from "./defined.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import type { Gap } from "../spec/gaps.ts";
import type { Exchange } from "./exchange.ts";
import type { Finding } from "./run.ts";

/** How a requirement is broken: in words for people, and the name of the mistake. */
export type Violation = Pick<Finding, "message" | "expected" | "actual" | "pointer" | "mistake"> & {
  /** Where the same thing was shown first, with another value. */
  readonly firstShown?: { readonly exchange: Exchange; readonly pointer: string };
};

/**
 * What is judged of a requirement: it is broken (`violation`), it has no verdict (`noVerdict`, the
 * reason), or it holds.
 */
export interface Judgement {
  readonly requirement: RequirementId;
  readonly violation?: Violation;
  readonly noVerdict?: string;
  /** What was missing for a verdict, if that is nobody's fault (INT-57). */
  readonly gap?: Gap;
}

export const holds = (requirement: RequirementId): Judgement => ({ requirement });

export function broken(requirement: RequirementId, violation: Violation): Judgement {
  return {
    requirement,
    violation,
  };
}

/**
 * The judgement that a requirement has no verdict. `gap`: what was missing, if that is nobody's
 * fault. Without a gap, the server gets no verdict as a whole (INT-57).
 */
export function noVerdict(requirement: RequirementId, reason: string, gap?: Gap): Judgement {
  return {
    requirement,
    noVerdict: reason,
    ...defined({ gap }),
  };
}

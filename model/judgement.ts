import type { RequirementId } from "../spec/catalogue.ts";
import type { Gap } from "../spec/gaps.ts";
import type { Finding } from "./run.ts";

/** How a requirement is broken, in words for people. Without `cause`, only the same message has the same cause. */
export type Violation = Pick<Finding, "message" | "expected" | "actual" | "pointer" | "cause" | "deviation">;

/** A requirement is broken (`violation`), has no verdict (`noVerdict`, the reason), or holds. */
export interface Judgement {
  readonly requirement: RequirementId;
  readonly violation?: Violation;
  readonly noVerdict?: string;
  /** What was missing, with `noVerdict`, if that is nobody's fault (INT-57). */
  readonly gap?: Gap;
}

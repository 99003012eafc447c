import type { RequirementId } from "../spec/catalogue.ts";
import type { Finding } from "./run.ts";

/** How a requirement is broken, in words for people. Without `cause`, only the same message has the same cause. */
export type Violation = Pick<Finding, "message" | "expected" | "actual" | "pointer" | "cause">;

/**
 * What a rule says about a requirement: with `violation`, how it is broken; with `noVerdict`, why it is neither broken
 * nor kept; else that it holds.
 */
export interface Judgement {
  readonly requirement: RequirementId;
  readonly violation?: Violation;
  readonly noVerdict?: string;
}

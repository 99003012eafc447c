import type { RequirementId } from "../spec/catalogue.ts";
import type { Finding } from "./run.ts";

/** How a requirement is broken, in words for people. Without `cause`, only the same message has the same cause. */
export interface Violation extends Pick<Finding, "message" | "expected" | "actual" | "pointer" | "cause"> {
  /** What the server wrote. Its beginning ends `actual`, cut after redaction. */
  readonly quote?: string;
}

/**
 * What a rule says about a requirement: with `violation`, how it is broken; with `noVerdict`, why it is neither broken
 * nor kept; else that it holds.
 */
export interface Judgement {
  readonly requirement: RequirementId;
  readonly violation?: Violation;
  readonly noVerdict?: string;
}

/** A violation as the worker reports it: redacted, of bounded size, with the request that shows it. */
export interface FoundViolation extends Omit<Finding, "scenario" | "replay" | "occurrences"> {
  /** Equal for violations of the same requirement, operation and message. */
  readonly key: string;
  readonly requirement: RequirementId;
  /** Permanent id of the scenario that found it. `replay` runs that scenario again. */
  readonly scenario: string;
}

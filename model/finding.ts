import type { RequirementId } from "../spec/catalogue.ts";
import type { Finding } from "./run.ts";

/** How a requirement is broken, in words for a person. Without a cause it is a mistake of its own. */
export type Violation = Pick<Finding, "message" | "expected" | "actual" | "pointer" | "cause">;

/** What an exchange shows of a requirement: that it holds, or how it is broken. */
export interface Judgement {
  readonly requirement: RequirementId;
  readonly violation?: Violation;
}

/** A violation as it leaves the worker: redacted, bounded, with the request that shows it. */
export interface FoundViolation extends Omit<Finding, "scenario" | "replay" | "occurrences"> {
  /** The same for the same requirement, operation and message. */
  readonly key: string;
  readonly requirement: RequirementId;
  /** Permanent id of the scenario that found it; running that scenario finds it again. */
  readonly scenario: string;
}

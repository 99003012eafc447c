import type { RequirementId } from "../spec/catalogue.ts";
import type { OperationName } from "../spec/operations.ts";
import type { Intent } from "./exchange.ts";

/**
 * The class of what was expected and of what was found: short texts that are the same whatever the request was, such
 * as `status 400` and `status 422`. Violations of one operation with the same cause are one mistake.
 */
export interface ViolationCause {
  readonly expected: string;
  readonly actual: string;
}

/** How a requirement is broken, in words for a person. */
export interface Violation {
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** JSON pointer into the response. */
  readonly pointer?: string;
  /** Absent: the violation is a mistake of its own. */
  readonly cause?: ViolationCause;
}

/** What an exchange shows of a requirement: that it holds, or how it is broken. */
export interface Judgement {
  readonly requirement: RequirementId;
  readonly violation?: Violation;
}

/** A violation as it leaves the worker: redacted, bounded, with the request that shows it. */
export interface FoundViolation extends Violation {
  /** The same for the same requirement, operation and message. */
  readonly key: string;
  readonly requirement: RequirementId;
  /** Id of the exchange that shows it. */
  readonly exchange?: number;
  readonly operation?: OperationName;
  /** Whether the request was valid, unusual or invalid. */
  readonly intent?: Intent["kind"];
  /** Permanent id of the scenario that found it; running that scenario finds it again. */
  readonly scenario: string;
  /** The request as a shell command; empty where no single request shows it. */
  readonly curl: string;
  /** How often a fault that is not always there was seen, such as `2 of 3`. */
  readonly repeated?: string;
}

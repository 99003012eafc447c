import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { Certificate, CreatedKind, SentCount } from "../run.ts";

/** The kinds of resources to which the server gives an id. */
export type ResourceKind = Exclude<CreatedKind, "acam item">;

/** How far a run is. */
export interface RunProgress {
  readonly sent: readonly SentCount[];
  /** The operations to which scenarios send requests that must succeed. */
  readonly operations: readonly OperationName[];
  readonly planned: number;
  readonly done: number;
  /** Milliseconds that the scenarios of each requirement took. */
  readonly took: readonly (readonly [RequirementId, number])[];
  readonly steps: readonly TargetStep[];
  readonly peakInFlight: number;
  readonly waiting?: string;
  readonly isEnded: boolean;
}

/** How long a traced run took for a request of a scenario, with waits and earlier attempts. */
export interface Span {
  readonly scenario: string;
  readonly operation: OperationName;
  /** The start and the end, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

/**
 * The steps of the calibration, in this order. Each finds out whether the target accepts what is
 * configured.
 */
export const calibrationSteps = [
  "counterparty",
  "operation",
  "item",
  "pairs",
  "purpose",
  "batch",
] as const;

export type CalibrationStepName = (typeof calibrationSteps)[number];

/**
 * A step of the preflight or of calibration: whether a target can be tested, and what it accepts.
 */
export interface TargetStep {
  readonly step: "name" | "connection" | "tls" | "key" | "token" | CalibrationStepName;
  readonly ok: boolean;
  /** The run ends after this step, because nothing can be tested. */
  readonly stops?: true;
  readonly found: string;
  readonly certificate?: Certificate;
  readonly advice?: string;
}

/** How far a run has come. */
export interface Progress {
  /** The number of requests that were sent so far. */
  readonly requests: number;
  readonly scenariosDone: number;
  readonly scenarios: number;
  readonly failing: number;
  /**
   * What the run waits for. Present only during a long wait, such as for a rate limit or a target
   * in trouble.
   */
  readonly waiting?: string;
}

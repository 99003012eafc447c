import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { Coverage, Lack, NoVerdict, RequirementResult, Run } from "../run.ts";
import type { RunProgress } from "./run-progress.ts";
import type { Witness } from "./witness.ts";

/** What was found out about a requirement. */
export interface JudgedRequirement extends Pick<
  RequirementResult,
  "asked" | "findings" | "judgedIn" | "sample"
> {
  readonly inconclusive: readonly NoVerdict[];
  /** The first need that the run did not meet, if it is known. */
  readonly lack?: Lack | undefined;
}

/** All that a run has found, as plain data: redacted, of bounded size, and made for a clone. */
export interface Evidence extends Pick<
  Run,
  | "requests"
  | "sent"
  | "observations"
  | "latency"
  | "statuses"
  | "exchanges"
  | "created"
  | "createdCounts"
  | "warnings"
> {
  readonly createdWithoutId: number;
  readonly coverage: readonly Coverage[];
  readonly judged: ReadonlyMap<RequirementId, JudgedRequirement>;
  /** Which responses show which mistake. Absent if there were more responses than are kept. */
  readonly witness?: Witness | undefined;
  /** Why the target could not be tested. */
  readonly untestable?: string;
  /** Internal errors. */
  readonly errors: readonly string[];
  /** Operations that had to succeed at least once and never gave a success that can be read. */
  readonly neverSucceeded: readonly OperationName[];
  readonly progress: RunProgress;
}

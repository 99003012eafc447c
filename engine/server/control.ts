import type { Run } from "../../model/run.ts";
import type { TargetStep, Progress, Span } from "../../model/evidence/messages.ts";
import type { RequirementId } from "../../spec/catalogue.ts";

export interface RunSoFar {
  /**
   * The run as if it had ended now: requirements without a verdict so far are inconclusive. Takes
   * milliseconds.
   */
  readonly run: () => Run;
  readonly failing: () => ReadonlySet<RequirementId>;
  readonly progress: () => Progress;
}

export interface RunControl {
  readonly onProgress?: (progress: Progress) => void;
  /** Called with the same object after each batch of evidence, up to twenty times a second. */
  readonly onUpdate?: (soFar: RunSoFar) => void;
  readonly onStep?: (step: TargetStep) => void;
  /** Aborting ends requests and returns the run so far with the outcome `interrupted`. */
  readonly signal?: AbortSignal;
  /**
   * Called with each request of a scenario, and when it was sent and answered. Without this
   * function, nothing is traced.
   */
  readonly onSpan?: (span: Span) => void;
  /**
   * Called with each secret of the run (the key, tokens, values derived from them), to search the
   * reports for them.
   */
  readonly onSecret?: (secret: string) => void;
  /** Called with each exchange as an entry of a HAR file, if the settings demand a recording. */
  readonly onRecorded?: (entry: string) => void;
}

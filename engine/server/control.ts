import type { TargetStep, Progress, Span } from "../../model/evidence/evidence.ts";
import type { Redaction } from "../../model/evidence/redaction.ts";

export interface RunControl {
  readonly onProgress?: (progress: Progress) => void;
  readonly onStep?: (step: TargetStep) => void;
  /**
   * Aborts the run, which then resolves to what was found so far, with the outcome `interrupted`.
   */
  readonly signal?: AbortSignal;
  /**
   * Called for each request of a scenario, with the times when it was sent and answered. If absent,
   * nothing is traced.
   */
  readonly onSpan?: (span: Span) => void;
  /**
   * Learns each secret of the run (the key, tokens, values derived from them), so that reports can
   * be searched for it. @defaultValue one that ends with the run
   */
  readonly redaction?: Redaction;
  /** Called with each exchange as an entry of a HAR file, if the settings ask for a recording. */
  readonly onRecorded?: (entry: string) => void;
}

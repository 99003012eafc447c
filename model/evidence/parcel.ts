import type { Evidence } from "./evidence.ts";
import type { Progress, Span } from "./run-progress.ts";

/**
 * What the thread of a run hands to the main thread. `evidence`: all that the run has found so far,
 * which replaces what came before.
 */
export interface Parcel {
  readonly evidence?: Evidence;
  readonly progress?: Progress;
  /** Most responses take more than a second, so that the run may take longer (INT-50). */
  readonly isSlow?: boolean;
  readonly secrets?: readonly string[];
  /** For `--record`: entries of a HAR file, each as a JSON text. */
  readonly har?: readonly string[];
  readonly spans?: readonly Span[];
}

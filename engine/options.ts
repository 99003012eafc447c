import type { PreflightStep } from "./preflight/step.ts";
import type { GateRules } from "../model/gate.ts";
import type { Run } from "../model/run.ts";
import type { RunSettings, Target } from "../model/target.ts";
import type { Span } from "../model/evidence.ts";
import type { RequirementId } from "../spec/catalogue.ts";

/** Everything that decides what a run does. Checked by the caller; `run` trusts it. */
export interface RunOptions extends Omit<GateRules, "today"> {
  readonly target: Target;
  readonly settings: RunSettings;
  /** The run stops when this many requirements have failed that the gate does not tolerate. Absent: it never does. */
  readonly bail?: number;
  /** What was selected, in the words of the user; absent: everything. */
  readonly selected?: Run["selection"];
  /** The options as given, by their names in the configuration file, without secrets; kept in the report. */
  readonly given?: Run["settings"];
  /**
   * The command that checks failures again, quoted for a shell; ` --only <id>` follows it.
   *
   * @defaultValue "npx fxconform replay fxconform-report/report.json"
   */
  readonly replayCommand?: string;
}

/** How far a run has come. */
export interface Progress {
  /** Responses so far. */
  readonly requests: number;
  readonly scenariosDone: number;
  readonly scenarios: number;
  /** Requirements with a finding so far. */
  readonly failing: number;
  /** What the run waits for, if it is a long wait: a rate limit, a target in trouble. */
  readonly waiting?: string;
}

/** What a run has found so far. */
export interface RunSoFar {
  /** The run as if it had ended now: requirements without a verdict so far are inconclusive. Takes milliseconds. */
  readonly run: () => Run;
  /** Requirements with a finding. */
  readonly failing: () => ReadonlySet<RequirementId>;
  /** Whether every scenario that can judge a requirement has ended. */
  readonly isFinished: (requirement: RequirementId) => boolean;
}

/** How to follow and to stop a run. */
export interface RunControl {
  readonly onProgress?: (progress: Progress) => void;
  /** Called with the same object after each batch of evidence, up to twenty times a second. */
  readonly onUpdate?: (soFar: RunSoFar) => void;
  /** Called with each step of the preflight. The steps `list` and `operation` are the run's own first successes. */
  readonly onStep?: (step: PreflightStep) => void;
  /** Aborting ends requests and returns the run so far with the outcome `interrupted`. */
  readonly signal?: AbortSignal;
  /** Called with what each scenario did and when. Without this function, nothing is traced. */
  readonly onSpan?: (span: Span) => void;
  /** Called with each secret of the run (the key, tokens, values derived from them), to search the reports for them. */
  readonly onSecret?: (secret: string) => void;
  /** Called with each exchange as an entry of a HAR file, if the settings demand a recording. */
  readonly onRecorded?: (entry: string) => void;
}

import type { PreflightStep } from "./preflight-step.ts";
import type { RunSettings, Target } from "../model/target.ts";
import type { QuestionId } from "../spec/questions.ts";
import type { RequirementId } from "../spec/catalogue.ts";

/** A pinned response of an implementation conformance statement (ISO/IEC 9646: ICS). */
export interface PinnedAnswer {
  readonly question: QuestionId;
  /** The answers that may be observed, and no others. */
  readonly answers: readonly string[];
}

/** A failure that is known, why, and until when that is tolerated. */
export interface KnownFailure {
  readonly requirement: RequirementId;
  readonly reason: string;
  /** Last day on which it is tolerated: `YYYY-MM-DD`, in UTC. */
  readonly expires: string;
}

/** A part of a selection that several runs share. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
  /** What the other parts ask. */
  readonly elsewhere: readonly RequirementId[];
}

/** Everything that decides what a run does. Checked by the caller; `run` trusts it. */
export interface RunOptions {
  readonly target: Target;
  readonly settings: RunSettings;
  /** Warnings and inconclusive requirements fail the gate. */
  readonly strict: boolean;
  readonly statement: readonly PinnedAnswer[];
  readonly baseline: readonly KnownFailure[];
  /** Which part of the selection this run asks; absent where it asks all of it. */
  readonly shard?: Shard;
  /** Words that make the same run again, without `--only`, `--seed` and secrets: `--base-url … --profile full`. Shell-quoted. */
  readonly replayArguments: string;
  /** The command that `replayArguments` follow; `run` where absent. */
  readonly replayCommand?: "run" | "demo";
}

/** What is told while a run goes on. */
export interface Progress {
  /** Requests answered so far. */
  readonly requests: number;
  readonly scenariosDone: number;
  readonly scenarios: number;
  /** Requirements with a finding so far. */
  readonly failing: number;
  /** What is waited for, where that is worth a word: a rate limit, a target in trouble. */
  readonly waiting?: string;
}

/** How to follow and to stop a run. */
export interface RunControl {
  readonly onProgress?: (progress: Progress) => void;
  /** Told each step of the preflight as it is taken. The list and, in `full`, an operation are the run's own first. */
  readonly onStep?: (step: PreflightStep) => void;
  /** Aborting ends requests and returns the run so far with the outcome `interrupted`. */
  readonly signal?: AbortSignal;
  /** Told each secret of the run (key, tokens, what was derived from them), for a last search through the reports. */
  readonly onSecret?: (secret: string) => void;
}

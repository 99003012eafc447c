import type { RunSettings, Target } from "../model/target.ts";

/** What a worker gets when it starts, before its first run: plain data. */
export interface WorkerPreparation {
  /** Address of the contract as JSON. */
  readonly contract: string;
  /** For each run that it can serve, one after the other. */
  readonly runs: readonly RunChannels[];
}

/** The channels between a worker and the main thread for one run. */
export interface RunChannels {
  /** Name of the channel that takes evidence out and commands in. */
  readonly channel: string;
  /** On it the worker reports that it is ready, and receives the run, or null if there is none. */
  readonly start: string;
}

/** A run as the main thread hands it to a worker: plain data. */
export interface WorkerInput {
  readonly target: Target;
  readonly settings: RunSettings;
  readonly runId: string;
  readonly userAgent: string;
  /** Tokens that were issued before the run: secrets like those that are issued during it. */
  readonly tokens: readonly string[];
  readonly traced: boolean;
}

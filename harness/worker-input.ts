import type { RunSettings, Target } from "../model/target.ts";

/** What a worker gets when it starts, before its first run: plain data. */
export interface WorkerPreparation {
  /** Address of the contract as JSON. */
  readonly contract: string;
  /** A channel for each run that it can serve, one after the other: evidence goes out, the run and a stop come in. */
  readonly channels: readonly string[];
}

/** A run as the main thread hands it to a worker: plain data. */
export interface WorkerInput {
  readonly target: Target;
  readonly settings: RunSettings;
  readonly runId: string;
  readonly userAgent: string;
  readonly traced: boolean;
}

import type { MessagePort } from "node:worker_threads";
import type { RunSettings, Target } from "../../../model/target.ts";

/** What a worker gets when it starts, before its first run. */
export interface WorkerPreparation {
  /** The address of the contract as JSON. */
  readonly contract: string;
  /**
   * The channel to the main thread. The worker sends that it is ready for its next run, and
   * parcels; it gets the run, and the request to stop.
   */
  readonly port: MessagePort;
}

/** A run, in the form in which the main thread hands it to a worker. */
export interface WorkerInput {
  readonly target: Target;
  readonly settings: RunSettings;
  readonly runId: string;
  /** The command that checks the same again. ` --only <id>` is appended to it. */
  readonly replayCommand: string;
  readonly userAgent: string;
  readonly traced: boolean;
}

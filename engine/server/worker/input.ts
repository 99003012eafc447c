import type { MessagePort } from "node:worker_threads";
import type { RunSettings, Target } from "../../../model/target.ts";

/** What a worker gets when it starts, before its first run. */
export interface WorkerPreparation {
  /** The address of the contract as JSON. */
  readonly contract: string;
  /**
   * The channel to the main thread. Through it, the worker receives runs and the request to stop,
   * and sends the parcels of a run and how it ended.
   */
  readonly port: MessagePort;
}

/** A run, in the form in which the main thread hands it to a worker. */
export interface WorkerInput {
  readonly target: Target;
  readonly settings: RunSettings;
  readonly runId: string;
  /** The command that checks failures again. ` --only <id>` is appended to it. */
  readonly replayCommand: string;
  readonly userAgent: string;
  readonly traced: boolean;
}

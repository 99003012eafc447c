import type { MessagePort } from "node:worker_threads";
import type { RunSettings, Target } from "../../../model/target.ts";

/** What a worker gets when it starts, before its first run: plain data. */
export interface WorkerPreparation {
  /** Address of the contract as JSON. */
  readonly contract: string;
  /**
   * Out go that it is ready for its next run, and then parcels; in come the run, and then that it
   * stops.
   */
  readonly port: MessagePort;
}

/** A run as the main thread hands it to a worker: plain data. */
export interface WorkerInput {
  readonly target: Target;
  readonly settings: RunSettings;
  readonly runId: string;
  /** The command that checks the same again; ` --only <id>` follows it. */
  readonly replayCommand: string;
  readonly userAgent: string;
  readonly traced: boolean;
}

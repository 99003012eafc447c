import type { RunSettings, Target } from "../model/target.ts";
import type { ContractDocument } from "../spec/contract.ts";

/** What the main thread hands to the worker: plain data. */
export interface WorkerInput {
  readonly target: Target;
  readonly settings: RunSettings;
  readonly document: ContractDocument;
  readonly runId: string;
  readonly userAgent: string;
  /** Name of the channel that takes evidence out and commands in. */
  readonly channel: string;
  /** Tokens that were issued before the run: secrets like those that are issued during it. */
  readonly tokens: readonly string[];
  /** Whether evidence says what each scenario did and when. */
  readonly traced: boolean;
}

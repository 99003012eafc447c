import type { Manner, Target } from "./target.ts";
import type { ContractDocument } from "../spec/contract.ts";

/** What the main thread hands to the worker: plain data. */
export interface Provided {
  readonly target: Target;
  readonly manner: Manner;
  readonly document: ContractDocument;
  readonly runId: string;
  readonly userAgent: string;
  /** Name of the channel that takes evidence out and commands in. */
  readonly channel: string;
  /** Tokens that were issued before the run: secrets like those that are issued during it. */
  readonly tokens: readonly string[];
}

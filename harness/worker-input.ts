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
  /** Whether evidence says what each scenario did and when. */
  readonly traced: boolean;
}

/** What the main thread says to the worker once it has loaded, which the worker announces with `ready`. */
export type Command =
  /** Run the scenarios. The tokens were issued before: secrets like those that are issued during the run. */
  | { readonly type: "start"; readonly tokens: readonly string[] }
  /** End without running anything. */
  | { readonly type: "leave" }
  /** End early. */
  | { readonly type: "stop" };

/** What the worker posts when it has loaded; everything else that it posts is evidence. */
export const ready = "ready";

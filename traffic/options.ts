import type { Budgets } from "../model/budgets.ts";
import type { KnownFailure, PinnedAnswer } from "../model/gate.ts";
import type { Run } from "../model/run.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import type { DatedRequirement } from "../spec/versions.ts";

/** How traffic is judged, and what the gate demands. Plain data. */
export interface TrafficOptions {
  readonly selection: readonly RequirementId[];
  readonly strict: boolean;
  readonly statement: readonly PinnedAnswer[];
  readonly baseline: readonly KnownFailure[];
  /** Requirements that are newer than the catalogue that the user keeps to: they do not fail the gate. */
  readonly newer?: readonly DatedRequirement[];
  readonly budgets?: Budgets;
  /** Show names, addresses, account numbers and the like as they are. */
  readonly keepValues: boolean;
  /** Names of further headers whose values are secrets, in small letters. */
  readonly secretHeaders: readonly string[];
  readonly selected?: Run["selection"];
  readonly given?: Run["settings"];
  /** The command that judges the traffic again, quoted for a shell; ` --only <id>` follows it. */
  readonly replayCommand: string;
}

/** How the traffic ended. */
export interface TrafficEnd {
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
  /** What could not be judged, and how much of it. */
  readonly warnings: readonly string[];
  /** Why nothing could be judged, where there was nothing to judge. */
  readonly nothing: string;
}

import type { GateRules } from "../model/gate.ts";
import type { Run } from "../model/run.ts";
import type { RequirementId } from "../spec/catalogue.ts";

/** How traffic is judged, and what the gate demands. Plain data. */
export interface TrafficOptions extends Omit<GateRules, "today"> {
  readonly selection: readonly RequirementId[];
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
  /** Why there was nothing to judge, if that is so. */
  readonly nothing: string;
}

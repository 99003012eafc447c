import { measured } from "../../model/measured.ts";
import type { Profile } from "../../model/target.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { Context } from "./context.ts";

/**
 * When a scenario runs: before anything is created, concurrently with all others, or at the end and one at a time (bad
 * credentials, since servers lock out).
 */
export type Phase = "before" | "main" | "last";

/** What the selection needs to know of a scenario. */
export interface ScenarioPlan {
  /** The requirements that it judges itself. The standing checks also judge all its traffic. */
  readonly requirements: readonly RequirementId[];
  /** Operations to which it sends valid requests: a standing requirement of one of them can be judged by it. */
  readonly operations: readonly OperationName[];
  /**
   * About how many requests wait for the response to another one: scenarios with long chains start first. @defaultValue
   * 3
   */
  readonly chain?: number;
  /** @defaultValue "main" */
  readonly phase?: Phase;
  /** The profiles in which it may run. @defaultValue ["full"] */
  readonly profiles?: readonly Profile[];
  /** Scenarios that must end before this one starts, if they run at all. */
  readonly after?: readonly Scenario[];
  /** Draws the same with every `--seed`, because its observations must not depend on the seed. @defaultValue false */
  readonly drawsTheSame?: boolean;
}

/** A plan with its permanent id, its title and its code. */
export interface Scenario extends ScenarioPlan {
  /** Permanent and unique, such as `operation/create/first`: it seeds what the scenario draws, and selects it. */
  readonly id: string;
  /** How many requests it sends to the reference server with the default settings. */
  readonly cost: number;
  /** A sentence for a person; nothing depends on it. */
  readonly title: string;
  readonly run: (context: Context) => Promise<void>;
}

export const scenario = (
  id: string,
  title: string,
  plan: ScenarioPlan,
  run: (context: Context) => Promise<void>,
): Scenario => ({ id, title, cost: costs[id] ?? 1, ...plan, run });

const costs: Readonly<Record<string, number>> = measured.scenarios;

import type { Profile } from "../../model/target.ts";
import { requirementOf, type RequirementId } from "../../spec/catalogue.ts";
import { operations, withPredecessors, type OperationName } from "../../spec/operations.ts";
import { measured } from "../measured.ts";
import type { Core } from "../run/context.ts";
import { contextOf, type Context } from "./context.ts";

/**
 * When a scenario runs: before anything is created; in the main phase, at the same time as others;
 * last, because servers lock out clients after bad credentials; or beside the last phase, for
 * traffic whose requirements the main phase has judged already (INT-17).
 */
export type Phase = "before" | "main" | "last" | "beside";

interface ScenarioPlan {
  /**
   * A permanent and unique id: the file and what is checked, such as `operation/invalid/members`.
   * The id decides what is drawn.
   */
  readonly id: string;
  /** A sentence for people. Nothing depends on it. */
  readonly title: string;
  /** The requirements for which the scenario sends its requests. Rules judge the responses. */
  readonly checks: readonly RequirementId[];
  /** The phase. @defaultValue "main" */
  readonly phase?: Phase;
  /** The profiles in which the scenario may run. @defaultValue ["full"] */
  readonly profiles?: readonly Profile[];
  /** Scenarios that must end before this one starts, if they run at all. */
  readonly after?: readonly Scenario[];
  /**
   * Scenarios that must end before this one goes on from where it calls `awaited`, if they run at
   * all. What may come earlier stands before that call.
   */
  readonly awaits?: readonly Scenario[];
  /**
   * Draw the same values with every `--seed`, because the observations must not depend on the seed.
   * @defaultValue false
   */
  readonly drawsTheSame?: boolean;
  /**
   * Send the first request before those of other scenarios, because this scenario waits until
   * something is old.
   * @defaultValue false
   */
  readonly isFirst?: boolean;
}

export interface Scenario extends ScenarioPlan {
  /**
   * The operations to which the scenario sends valid requests, and those that they follow. It can
   * judge their standing requirements.
   */
  readonly operations: readonly OperationName[];
  /** How many requests the scenario sends to the reference server with the default settings. */
  readonly cost: number;
  /** The longest chain of its requests that wait for each other. Long chains start first. */
  readonly chain: number;
  readonly run: (context: Core) => Promise<void>;
}

/** A scenario as it is written: without what can be derived or measured. */
export interface Definition extends ScenarioPlan {
  readonly run: (context: Context) => Promise<void>;
}

/** Makes a scenario whose function gets its context. */
export function scenario(definition: Definition): Scenario {
  const { id, run } = definition;
  return {
    ...definition,
    operations: withPredecessors(accepting[id] ?? operationsOf(definition)),
    cost: costs[id] ?? 1,
    chain: chains[id] ?? 1,
    run: (context) => run(contextOf(context)),
  };
}

/**
 * The operations that a scenario needs until it is measured: those that its requirements are about.
 * In the profile smoke, nothing is created.
 */
function operationsOf({ checks, profiles = [] }: Definition): readonly OperationName[] {
  const own = checks.flatMap((requirement) => requirementOf(requirement).operations);
  return profiles.includes("smoke")
    ? own.filter((operation) => !operations[operation].creates)
    : own;
}

/** The numbers that `npm run measure` counted. */
const accepting: Readonly<Record<string, readonly OperationName[]>> = measured.operations;
const costs: Readonly<Record<string, number>> = measured.scenarios;
const chains: Readonly<Record<string, number>> = measured.chains;

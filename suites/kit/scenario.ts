import type { Profile } from "../../model/target.ts";
import { requirementOf, type RequirementId } from "../../spec/catalogue.ts";
import { operations, withPredecessors, type OperationName } from "../../spec/operations.ts";
import { measured } from "../measured.ts";
import type { Core } from "../run/context.ts";
import { contextOf, type Context } from "./context.ts";

/**
 * Before anything is created; concurrently with all others; at the end, as servers lock out after
 * bad credentials; or beside these, for traffic whose requirements the main phase has judged
 * already (INT-17).
 */
export type Phase = "before" | "main" | "last" | "beside";

interface ScenarioPlan {
  /**
   * Permanent and unique: the file and what is checked, such as `operation/invalid/members`. It
   * seeds what is drawn.
   */
  readonly id: string;
  /** A sentence for a person; nothing depends on it. */
  readonly title: string;
  /** The requirements that it judges itself. The rules also judge all its traffic. */
  readonly checks: readonly RequirementId[];
  /** @defaultValue "main" */
  readonly phase?: Phase;
  /** The profiles in which it may run. @defaultValue ["full"] */
  readonly profiles?: readonly Profile[];
  /** Scenarios that must end before this one starts, if they run at all. */
  readonly after?: readonly Scenario[];
  /**
   * Draws the same with every `--seed`, because its observations must not depend on the seed.
   * @defaultValue false
   */
  readonly drawsTheSame?: boolean;
  /**
   * Its first request is sent before those of others, as it waits until something is old.
   * @defaultValue false
   */
  readonly isFirst?: boolean;
}

export interface Scenario extends ScenarioPlan {
  /**
   * Operations to which it sends valid requests, and those that they follow: it can judge their
   * standing requirements.
   */
  readonly operations: readonly OperationName[];
  /** How many requests it sends to the reference server with the default settings. */
  readonly cost: number;
  /** How many of them wait for the response to another one: long chains start first. */
  readonly chain: number;
  readonly run: (context: Core) => Promise<void>;
}

/** What is registered of a scenario. What can be derived or measured is not. */
export interface Definition extends ScenarioPlan {
  readonly run: (context: Context) => Promise<void>;
}

/** A scenario that is handed what it works with. */
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
 * Until a new scenario is measured: what its requirements are about. In the profile smoke nothing
 * is created.
 */
function operationsOf({ checks, profiles = [] }: Definition): readonly OperationName[] {
  const own = checks.flatMap((requirement) => requirementOf(requirement).operations);
  return profiles.includes("smoke")
    ? own.filter((operation) => !operations[operation].creates)
    : own;
}

/** Of `npm run measure`. */
const accepting: Readonly<Record<string, readonly OperationName[]>> = measured.operations;
const costs: Readonly<Record<string, number>> = measured.scenarios;
const chains: Readonly<Record<string, number>> = measured.chains;

import type { Profile } from "../../model/target.ts";
import { requirementOf, type RequirementId } from "../../spec/catalogue.ts";
import { operations, withPredecessors, type OperationName } from "../../spec/operations.ts";
import type { ScenarioCore } from "../run/context.ts";
import { contextOf, type Context } from "./context.ts";

/**
 * When a scenario runs: before anything is created; in the main phase, at the same time as others;
 * last, because servers lock out clients after bad credentials; beside the last phase, for traffic
 * whose requirements the main phase has judged already (INT-17); or after all others, because
 * hardly anything else is sent then, or because the server may be broken for good (INT-40).
 */
export type Phase = "before" | "main" | "last" | "beside" | "end";

interface ScenarioPlan {
  /**
   * A permanent and unique id: the file and what is checked, such as `operation/invalid/members`.
   * The random values of the scenario derive from the id and the seed.
   */
  readonly id: string;
  /** What the scenario is about, in words for people. No verdict depends on the title. */
  readonly title: string;
  /** The requirements for which the scenario sends its requests. Rules judge the responses. */
  readonly checks: readonly RequirementId[];
  /**
   * The operations to which the scenario sends valid requests, if its requirements do not say it.
   * @defaultValue those that its requirements are about
   */
  readonly uses?: readonly OperationName[];
  /** The phase in which the scenario runs. @defaultValue "main" */
  readonly phase?: Phase;
  /** The profiles in which the scenario may run. @defaultValue ["full"] */
  readonly profiles?: readonly Profile[];
  /** Scenarios that must end before this one starts, if they run at all. */
  readonly after?: readonly Scenario[];
  /**
   * Whether the scenario draws the same values with every `--seed`, so that its observations do not
   * depend on the seed. @defaultValue false
   */
  readonly drawsTheSame?: boolean;
  /**
   * Whether the scenario goes before others of its phase, because it takes long: it sends one
   * request after the other, or waits until something is old. @defaultValue false
   */
  readonly isFirst?: boolean;
}

export interface Scenario extends ScenarioPlan {
  /**
   * The operations to which the scenario sends valid requests, and those that must succeed before
   * them. Its exchanges show the requirements that every exchange of these operations can show.
   */
  readonly operations: readonly OperationName[];
  readonly run: (context: ScenarioCore) => Promise<void>;
}

/** A scenario as it is written: without what can be derived. */
interface Definition extends ScenarioPlan {
  readonly run: (context: Context) => Promise<void>;
}

/**
 * Makes a scenario from its definition: adds the operations that it needs, and gives `run` the
 * verbs of the kit.
 */
export function scenario(definition: Definition): Scenario {
  const { run } = definition;
  return {
    ...definition,
    operations: withPredecessors(definition.uses ?? operationsOf(definition)),
    run: (context) => run(contextOf(context)),
  };
}

/**
 * Returns the operations that its requirements are about. In the profile smoke, those that create
 * something are left out.
 */
function operationsOf({ checks, profiles = [] }: Definition): readonly OperationName[] {
  const own = checks.flatMap((requirement) => requirementOf(requirement).operations);
  return profiles.includes("smoke")
    ? own.filter((operation) => !operations[operation].creates)
    : own;
}

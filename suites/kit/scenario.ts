import { measured } from "../measured.ts";
import type { Profile, RunSettings } from "../../model/target.ts";
import { requirementOf, type RequirementId, standingOperations } from "../../spec/catalogue.ts";
import { withPredecessors, type OperationName } from "../../spec/operations.ts";
import type { Core } from "./context.ts";
import { contextOf, type Context as Fixtures } from "./fixtures.ts";

/**
 * Before anything is created; concurrently with all others; at the end, as servers lock out after bad credentials; or beside
 * these, for traffic whose requirements the main phase has judged already (INT-17).
 */
export type Phase = "before" | "main" | "last" | "beside";

export interface ScenarioPlan {
  /** The requirements that it judges itself. The standing checks also judge all its traffic. */
  readonly requirements: readonly RequirementId[];
  /** Operations to which it sends valid requests, and so to those that they follow: it can judge their standing requirements. */
  readonly operations: readonly OperationName[];
  /** @defaultValue "main" */
  readonly phase?: Phase;
  /** The profiles in which it may run. @defaultValue ["full"] */
  readonly profiles?: readonly Profile[];
  /** Scenarios that must end before this one starts, if they run at all. */
  readonly after?: readonly Scenario[];
  /** Draws the same with every `--seed`, because its observations must not depend on the seed. @defaultValue false */
  readonly drawsTheSame?: boolean;
}

export interface Scenario extends ScenarioPlan {
  /** Permanent and unique, such as `operation/create/first`: it seeds what the scenario draws, and selects it. */
  readonly id: string;
  /** How many requests it sends to the reference server with the default settings. */
  readonly cost: number;
  /** How many of them wait for the response to another one: long chains start first. */
  readonly chain: number;
  /** A sentence for a person; nothing depends on it. */
  readonly title: string;
  readonly run: (context: Core) => Promise<void>;
}

export const scenario = (
  id: string,
  title: string,
  plan: ScenarioPlan,
  run: (context: Core) => Promise<void>,
): Scenario => {
  const operations = withPredecessors(plan.operations);
  return { id, title, cost: costs[id] ?? 1, chain: chains[id] ?? 1, ...plan, operations, run };
};

export interface Definition extends Pick<ScenarioPlan, "phase" | "profiles" | "after" | "drawsTheSame"> {
  /** Permanent and unique: the file and what is checked, such as `operation/invalid/members`. It seeds what is drawn. */
  readonly id: string;
  /** A sentence for a person; nothing depends on it. */
  readonly title: string;
  /** The requirements that it judges itself. The rules also judge all its traffic. */
  readonly checks: readonly RequirementId[];
  /** The operations to which it sends valid requests. @defaultValue those that the requirements are about */
  readonly needs?: readonly OperationName[];
  readonly run: (context: Fixtures) => Promise<void>;
}

/** A scenario that is handed what it works with. */
export function defined(definition: Definition): Scenario {
  const { id, title, checks, needs, run, ...plan } = definition;
  const operations = needs ?? checks.flatMap((requirement) => requirementOf(requirement).operations);
  return scenario(id, title, { ...plan, requirements: checks, operations }, (context) => run(contextOf(context)));
}

const costs: Readonly<Record<string, number>> = measured.scenarios;
const chains: Readonly<Record<string, number>> = measured.chains;

export interface Selected {
  readonly scenarios: readonly Scenario[];
  /** How many scenarios the profile has. */
  readonly of: number;
  /** Selected requirements that a full run judges in more exchanges, of other scenarios. */
  readonly reduced: readonly RequirementId[];
}

/** More scenarios of a requirement than the cheapest one run if together they send at most this many requests. */
const affordable = 55;

/** The scenarios that a selection needs, in their order: with `fewest`, the cheapest ones that judge it. */
export const selectScenarios = (
  all: readonly Scenario[],
  settings: Pick<RunSettings, "profile" | "selection" | "scenarios" | "fewest" | "createsLeast">,
): Selected => {
  const available = all.filter(({ profiles = ["full"] }) => profiles.includes(settings.profile));
  const named = available.filter(({ id }) => settings.scenarios?.includes(id) === true);
  if (settings.createsLeast === true) return { scenarios: named, of: available.length, reduced: [] };
  const chosen = new Set([...named, ...settings.selection.flatMap((id) => citing(available, id, settings.fewest))]);
  const touching = (id: RequirementId): readonly Scenario[] =>
    available.filter((scenario) => standingOperations(id).some((operation) => covers(scenario, operation)));
  if (settings.fewest === true) {
    const missing = missingOperations([...chosen], settings.selection);
    for (const scenario of cheapestCover(available, missing)) chosen.add(scenario);
  } else {
    for (const scenario of settings.selection.flatMap(touching)) chosen.add(scenario);
  }
  return {
    scenarios: available.filter((scenario) => chosen.has(scenario)),
    of: available.length,
    reduced: settings.selection.filter((id) => touching(id).some((scenario) => !chosen.has(scenario))),
  };
};

/** Whether a scenario may run only for its traffic: bad credentials are sent only for requirements that need them. */
const covers = ({ phase, operations }: Scenario, operation: OperationName): boolean =>
  phase !== "last" && operations.includes(operation);

/** The scenarios that list a requirement; for a standing requirement only the cheap ones. */
const citing = (available: readonly Scenario[], id: RequirementId, fewest: boolean | undefined) => {
  const own = available.filter(({ requirements }) => requirements.includes(id));
  if (fewest !== true || standingOperations(id).length === 0) return own;
  let spent = 0;
  return own
    .toSorted((a, b) => a.cost - b.cost)
    .filter(({ cost }, index) => {
      spent += cost;
      return spent <= affordable || index === 0;
    });
};

/** Longer than any chain. */
const lastUrgency = 1_000_000;

const missingOperations = (chosen: readonly Scenario[], selection: readonly RequirementId[]) =>
  [...new Set(selection.flatMap(standingOperations))].filter(
    (operation) => !chosen.some((scenario) => covers(scenario, operation)),
  );

/** Scenarios that cover the operations, as far as any do: one by one those that cost least for each that is missing. */
const cheapestCover = (available: readonly Scenario[], operations: readonly OperationName[]): readonly Scenario[] => {
  const priceOf = (scenario: Scenario): number =>
    scenario.cost / operations.filter((operation) => covers(scenario, operation)).length;
  const [best] = available.toSorted((a, b) => priceOf(a) - priceOf(b));
  if (best === undefined || !Number.isFinite(priceOf(best))) return [];
  const missing = operations.filter((operation) => !covers(best, operation));
  return [best, ...cheapestCover(available, missing)];
};

export const reducedWarning = ({ scenarios, of, reduced }: Selected): string | undefined => {
  const [first, ...more] = reduced;
  if (first === undefined) return undefined;
  const checked = more.length === 0 ? first : `${first} and ${more.length} more`;
  return `The selection ran ${scenarios.length} of ${of} scenarios; a full run checks ${checked} in every exchange.`;
};

/**
 * Scenarios by urgency: the length of the longest chain of requests that begins with one or waits for it. Bad credentials
 * come before what flows beside them, as they go one at a time.
 */
export const mostUrgentFirst = (scenarios: readonly Scenario[]) => {
  const urgencyOf = (scenario: Scenario): number => {
    const later = scenarios.filter(({ after }) => after?.some((one) => one === scenario) === true);
    const own = scenario.phase === "last" ? lastUrgency : scenario.chain;
    return own + Math.max(0, ...later.map(urgencyOf));
  };
  return scenarios
    .map((scenario) => ({ scenario, urgency: urgencyOf(scenario) }))
    .sort((a, b) => b.urgency - a.urgency);
};

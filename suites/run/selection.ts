import type { RunSettings } from "../../model/target.ts";
import { standingOperations, type RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { Scenario } from "../kit/scenario.ts";

export interface Selected {
  readonly scenarios: readonly Scenario[];
  /** How many scenarios may run in the profile. */
  readonly of: number;
  /**
   * Selected requirements that a full run would judge in more exchanges, because it has more of the
   * scenarios that can show them.
   */
  readonly reduced: readonly RequirementId[];
}

/**
 * Returns the scenarios that a selection needs, in the order of `all`. With `fewest`, takes only
 * the cheapest scenarios that judge each requirement: those that use the fewest operations.
 */
export function selectScenarios(
  all: readonly Scenario[],
  settings: Pick<RunSettings, "profile" | "selection" | "scenarios" | "fewest" | "createsLeast">,
): Selected {
  const available = all.filter(({ profiles = ["full"] }) => profiles.includes(settings.profile));
  const named = available.filter(({ id }) => settings.scenarios?.includes(id) === true);
  if (settings.createsLeast === true)
    return { scenarios: named, of: available.length, reduced: [] };
  const chosen = new Set([
    ...named,
    ...settings.selection.flatMap((id) => citing(available, id, settings.fewest)),
  ]);
  const touching = (id: RequirementId): readonly Scenario[] =>
    available.filter((scenario) =>
      standingOperations(id).some((operation) => covers(scenario, operation)),
    );
  if (settings.fewest === true) {
    const missing = missingOperations([...chosen], settings.selection);
    for (const scenario of fewestCovering(available, missing)) chosen.add(scenario);
  } else {
    for (const scenario of settings.selection.flatMap(touching)) chosen.add(scenario);
  }
  return {
    scenarios: available.filter((scenario) => chosen.has(scenario)),
    of: available.length,
    reduced: settings.selection.filter((id) =>
      touching(id).some((scenario) => !chosen.has(scenario)),
    ),
  };
}

/**
 * Whether a scenario may run only because rules judge its requests to an operation. Scenarios of
 * bad credentials, and those that may break the server, may not: they run only for requirements that
 * they list.
 */
function covers({ phase, operations }: Scenario, operation: OperationName): boolean {
  return phase !== "last" && phase !== "end" && operations.includes(operation);
}

/** How many scenarios `fewest` takes that list a requirement which every exchange can show. */
const mostListing = 2;

/**
 * Returns the scenarios that list a requirement. With `fewest`, a requirement that every exchange
 * can show gets only the cheapest of them.
 */
function citing(available: readonly Scenario[], id: RequirementId, fewest: boolean | undefined) {
  const own = available.filter(({ checks }) => checks.includes(id));
  if (fewest !== true || standingOperations(id).length === 0) return own;
  return own
    .toSorted((one, other) => one.operations.length - other.operations.length)
    .slice(0, mostListing);
}

function missingOperations(chosen: readonly Scenario[], selection: readonly RequirementId[]) {
  return [...new Set(selection.flatMap(standingOperations))].filter(
    (operation) => !chosen.some((scenario) => covers(scenario, operation)),
  );
}

/**
 * Returns scenarios that together cover the operations, or as many of the operations as scenarios
 * can cover. Each step takes the scenario that covers most, the first of them if several do.
 */
function fewestCovering(
  available: readonly Scenario[],
  operations: readonly OperationName[],
): readonly Scenario[] {
  const covered = (scenario: Scenario): number =>
    operations.filter((operation) => covers(scenario, operation)).length;
  const [best] = available.toSorted((one, other) => covered(other) - covered(one));
  if (best === undefined || covered(best) === 0) return [];
  const missing = operations.filter((operation) => !covers(best, operation));
  return [best, ...fewestCovering(available, missing)];
}

export function reducedWarning({ scenarios, of, reduced }: Selected): string | undefined {
  const [first, ...more] = reduced;
  if (first === undefined) return undefined;
  const checked = more.length === 0 ? first : `${first} and ${more.length} more`;
  return `The selection ran ${scenarios.length} of ${of} scenarios; without a selection, a run checks ${checked} in every exchange.`;
}

/** The urgency of what goes before all else in its phase, above that of any row of scenarios that wait. */
const first = 100;

/**
 * Returns the scenarios, the most urgent first: those that say so, and bad credentials, which go one
 * at a time; then those for which others wait, and the more the longer the row of those is.
 */
export function mostUrgentFirst(scenarios: readonly Scenario[]) {
  const urgencyOf = (scenario: Scenario): number => {
    const waiting = scenarios.filter(({ after = [] }) => after.includes(scenario));
    const own = scenario.phase === "last" || scenario.isFirst === true ? first : 1;
    return own + Math.max(0, ...waiting.map(urgencyOf));
  };
  return scenarios
    .map((scenario) => ({ scenario, urgency: urgencyOf(scenario) }))
    .sort((a, b) => b.urgency - a.urgency);
}

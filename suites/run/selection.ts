import type { RunSettings } from "../../model/target.ts";
import { requirementOf, standingOperations, type RequirementId } from "../../spec/catalogue.ts";
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
 * A run of one requirement sends at most this many requests, because people repeat it while they
 * mend their server.
 */
export const mostAlone = 59;

/**
 * Returns how many requests the scenarios for one requirement may send. The cheapest scenario runs
 * in any case, others only within this number. It leaves room for two requests of the session, up to
 * five of the calibration, and up to four that create what scenarios share, such as a counterparty:
 * the measured cost of a scenario leaves out what another scenario has created for both.
 */
function affordable(id: RequirementId): number {
  const calibrated = requirementOf(id).operations.includes("addAcamItem") ? 5 : 4;
  return mostAlone - 2 - calibrated - 4;
}

/**
 * Returns the scenarios that a selection needs, in the order of `all`. With `fewest`, takes only
 * the cheapest scenarios that judge each requirement.
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
    for (const scenario of cheapestCover(available, missing)) chosen.add(scenario);
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
 * bad credentials may not: they run only for requirements that they list.
 */
function covers({ phase, operations }: Scenario, operation: OperationName): boolean {
  return phase !== "last" && operations.includes(operation);
}

/**
 * Returns the scenarios that list a requirement. With `fewest`, a requirement that every exchange
 * can show gets only the cheapest of them.
 */
function citing(available: readonly Scenario[], id: RequirementId, fewest: boolean | undefined) {
  const own = available.filter(({ checks }) => checks.includes(id));
  if (fewest !== true || standingOperations(id).length === 0) return own;
  const [cheapest, ...dearer] = own.toSorted((a, b) => a.cost - b.cost);
  if (cheapest === undefined) return [];
  const most = affordable(id);
  const chosen = [cheapest];
  let cost = cheapest.cost;
  for (const scenario of dearer) {
    cost += scenario.cost;
    if (cost > most) break;
    chosen.push(scenario);
  }
  return chosen;
}

/** An urgency above the length of any chain. */
const greatestUrgency = 1_000_000;

function missingOperations(chosen: readonly Scenario[], selection: readonly RequirementId[]) {
  return [...new Set(selection.flatMap(standingOperations))].filter(
    (operation) => !chosen.some((scenario) => covers(scenario, operation)),
  );
}

/**
 * Returns scenarios that together cover the operations, or as many of the operations as scenarios
 * can cover. Each step takes the scenario that costs least for each operation that it adds.
 */
function cheapestCover(
  available: readonly Scenario[],
  operations: readonly OperationName[],
): readonly Scenario[] {
  const priceOf = (scenario: Scenario): number =>
    scenario.cost / operations.filter((operation) => covers(scenario, operation)).length;
  const [best] = available.toSorted((a, b) => priceOf(a) - priceOf(b));
  if (best === undefined || !Number.isFinite(priceOf(best))) return [];
  const missing = operations.filter((operation) => !covers(best, operation));
  return [best, ...cheapestCover(available, missing)];
}

export function reducedWarning({ scenarios, of, reduced }: Selected): string | undefined {
  const [first, ...more] = reduced;
  if (first === undefined) return undefined;
  const checked = more.length === 0 ? first : `${first} and ${more.length} more`;
  return `The selection ran ${scenarios.length} of ${of} scenarios; without a selection, a run checks ${checked} in every exchange.`;
}

/**
 * Returns the scenarios, the most urgent first. The urgency is the length of the longest chain of
 * requests that begins with the scenario and goes on in those that wait for it. Bad credentials
 * come before the scenarios beside them, as they go one at a time. A scenario with `isFirst` comes
 * before all others of its phase.
 */
export function mostUrgentFirst(scenarios: readonly Scenario[]) {
  const urgencyOf = (scenario: Scenario): number => {
    const later = scenarios.filter(({ after = [], awaits = [] }) =>
      [...after, ...awaits].some((one) => one === scenario),
    );
    const isUrgent = scenario.phase === "last" || scenario.isFirst === true;
    const own = isUrgent ? greatestUrgency : scenario.chain;
    return own + Math.max(0, ...later.map(urgencyOf));
  };
  return scenarios
    .map((scenario) => ({ scenario, urgency: urgencyOf(scenario) }))
    .sort((a, b) => b.urgency - a.urgency);
}

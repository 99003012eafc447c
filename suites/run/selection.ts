import type { RunSettings } from "../../model/target.ts";
import { requirementOf, standingOperations, type RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { Scenario } from "../kit/scenario.ts";

export interface Selected {
  readonly scenarios: readonly Scenario[];
  /** How many scenarios the profile has. */
  readonly of: number;
  /**
   * Selected requirements for which a full run would judge more exchanges, those of other
   * scenarios.
   */
  readonly reduced: readonly RequirementId[];
}

/**
 * A run of one requirement sends at most this many requests, because people repeat it while they
 * mend.
 */
export const mostAlone = 59;

/**
 * The number of requests up to which more scenarios than the cheapest run for a requirement. The
 * session sends two requests, and the calibration up to five. The measured cost of a scenario leaves
 * out what another scenario created for both, such as a counterparty: up to four requests.
 */
function affordable(id: RequirementId): number {
  const calibrated = requirementOf(id).operations.includes("addAcamItem") ? 5 : 4;
  return mostAlone - 2 - calibrated - 4;
}

/**
 * The scenarios that a selection needs, in their order. With `fewest`, only the cheapest scenarios
 * that judge it.
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
 * Whether a scenario may run only for its traffic. Scenarios of bad credentials run only for
 * requirements that need them.
 */
function covers({ phase, operations }: Scenario, operation: OperationName): boolean {
  return phase !== "last" && operations.includes(operation);
}

/** The scenarios that list a requirement. For a standing requirement, only the cheap ones. */
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
 * Scenarios that cover the operations, if there are any. Each step takes the scenario that costs
 * least for each missing operation.
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
  return `The selection ran ${scenarios.length} of ${of} scenarios; a full run checks ${checked} in every exchange.`;
}

/**
 * The scenarios by urgency, which is the length of the longest chain of requests that begins with
 * the scenario or waits for it. Bad credentials come before the scenarios beside them, as they go
 * one at a time. A scenario that waits until something is old comes before all others.
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

// Says which runs a job consists of.
import { catalogue, requirementIds } from "../../dist/spec/catalogue.js";
import { endpoints } from "../../dist/spec/endpoints.js";

/**
 * The settings of each run of a job. A run of one requirement does not send everything, so that a
 * full run follows. Where a full run was needed before, the scenario that showed the fault there
 * now runs beside what the requirement needs.
 */
export function runsOf({ kind, selection, settings, fault, today }, shown) {
  if (selection === undefined || kind === "alone") return [{}];
  // A fault that is known to be missed is not asked for again.
  if (today === "missed") return [{}];
  const scenario = shown[fault.id];
  const narrow = { settings: { ...settings, ...(scenario && { scenarios: [scenario] }) } };
  if (kind === "blind") return [narrow, full(settings)];
  return [{ ...narrow, selection: widened(selection, fault) }, full(settings)];
}

function full(settings) {
  return { selection: undefined, settings: { ...settings, fewest: false } };
}

/**
 * What holds of every response seldom shows in a few requests, so that all requirements of the
 * endpoint are asked.
 */
function widened(selection, { breaks, operation }) {
  if (catalogue[breaks].area !== "transport" || operation === undefined) return selection;
  const { area } = catalogue[endpoints[operation].errorShape];
  return [...selection, ...requirementIds.filter((id) => catalogue[id].area === area)];
}

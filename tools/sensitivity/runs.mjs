// Says which runs a job consists of.
import { catalogue, requirementIds } from "../../dist/spec/catalogue.js";
import { endpoints } from "../../dist/spec/endpoints.js";

/**
 * Returns the settings of the runs of a job, of which each is needed only if those before it were
 * not right. A run of one requirement does not send everything, so that a full run follows. If a
 * full run has shown the fault before, the scenario that did so is added to the first run, with
 * those whose creations the fault needs.
 */
export function runsOf({ kind, selection, settings, fault, today }, shown) {
  if (selection === undefined || kind === "alone") return [{}];
  // A fault that is known to be missed gets no full run, which would miss it again.
  if (today === "missed") return [{}];
  const scenarios = shown[fault.id];
  const narrow = { settings: { ...settings, ...(scenarios && { scenarios: [scenarios].flat() }) } };
  if (kind === "blind") return [narrow, full(settings)];
  return [{ ...narrow, selection: widened(selection, fault) }, full(settings)];
}

function full(settings) {
  return { selection: undefined, settings: { ...settings, fewest: false } };
}

/**
 * Returns the selection, for a fault of transport with all requirements of its endpoint: such a
 * fault seldom shows in the few requests of a single requirement.
 */
function widened(selection, { breaks, operation }) {
  if (catalogue[breaks].area !== "transport" || operation === undefined) return selection;
  const { area } = catalogue[endpoints[operation].errorShape];
  return [...selection, ...requirementIds.filter((id) => catalogue[id].area === area)];
}

// What the runs of a job are started with.
import { catalogue, requirementIds } from "../../dist/spec/catalogue.js";
import { endpoints } from "../../dist/spec/endpoints.js";

/**
 * What each run of a job is started with. A run of one requirement does not send everything: a full
 * one follows. Where a full run was needed before, the scenario that showed the fault there runs
 * beside what the requirement needs.
 */
export function runsOf({ kind, selection, settings, fault, today }, shown) {
  if (selection === undefined || kind === "alone") return [{}];
  // What is missed is not asked for again in full.
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
 * What holds of every response seldom shows in few requests: all requirements of the endpoint are
 * asked.
 */
function widened(selection, { breaks, operation }) {
  if (catalogue[breaks].area !== "transport" || operation === undefined) return selection;
  const { area } = catalogue[endpoints[operation].errorShape];
  return [...selection, ...requirementIds.filter((id) => catalogue[id].area === area)];
}

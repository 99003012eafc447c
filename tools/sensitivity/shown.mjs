// Remembers which scenario shows a fault that a run of its requirement alone does not show. This
// only makes a check faster: where an entry is wrong or missing, a full run follows. Where the fault
// needs what another scenario creates, the entry lists both, written by hand.
import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("./shown.json", import.meta.url);

/** Reads the ids of scenarios, one or a list, by the ids of the faults that they show. */
export function shownBy() {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Writes to the file which scenarios have shown faults in the full runs among these results. */
export function keepShown(results) {
  const rows = Object.entries({ ...shownBy(), ...shownIn(results) });
  const sorted = Object.fromEntries(rows.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
}

/** Returns the scenarios that showed faults in full runs, by the ids of the faults. */
export function shownIn(results) {
  const found = results.map((result) => [result.job.id, scenarioOf(result)]);
  return Object.fromEntries(found.filter(([, scenario]) => scenario !== undefined));
}

/**
 * Returns the scenario that showed a fault in a full run, after narrow runs had not shown it.
 * Returns undefined for any other result.
 */
function scenarioOf({ job: { fault }, full, run }) {
  if (full !== true || fault === undefined || run === undefined) return undefined;
  const { findings = [] } = run.requirements.find(({ id }) => id === fault.breaks) ?? {};
  const { operation } = fault;
  const own = findings.find((one) => operation === undefined || one.operation === operation);
  return own?.scenario;
}

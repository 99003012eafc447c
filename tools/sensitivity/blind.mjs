// Makes the jobs of the blind set and keeps their results: what the suite found at each server when
// it first saw the server, and what it finds today.
import { readFileSync, writeFileSync } from "node:fs";
import { blindClasses } from "../../dist/reference/blind/index.js";
import { blindResultOf } from "./judged.mjs";

const file = new URL("./blind.json", import.meta.url);

/** A check runs only one legal server out of this many, as each of them takes a full run. */
const sampled = 8;

/** All servers of the set, each with the name of its class. */
const servers = Object.entries(blindClasses).flatMap(([className, { faults, variants }]) => [
  ...faults.map((fault) => ({ id: fault.id, class: className, fault, needs: fault.needs })),
  ...variants.map(({ id, needs }) => ({ id, class: className, variants: [id], needs })),
]);

/**
 * Reads the kept results, by the id of the server: `{ first, today, unsteady? }`. An unsteady
 * server shows its mistake only at some times.
 */
export function keptResults() {
  return JSON.parse(readFileSync(file, "utf8"));
}

/**
 * Returns the jobs of the blind set. With `check`, they find out whether the kept results still
 * hold: for each fault with the requirements that it breaks, and for some of the legal servers,
 * which the number `sample` chooses. Without `check`, they are full runs, whose results are kept.
 */
export function blindJobs({ check = false, only, sample }) {
  const kept = keptResults();
  return servers
    .filter(
      ({ id, fault }) =>
        only === undefined || [id, fault?.breaks].some((name) => only.includes(name)),
    )
    .filter((server, index) => !check || isChecked(server, kept[server.id], index, sample))
    .map((server) => jobOf(server, check, kept[server.id]?.today));
}

function isChecked(server, result, index, sample) {
  if (result === undefined || result.unsteady) return false;
  return server.fault !== undefined || index % sampled === sample % sampled;
}

function jobOf(server, check, today) {
  const settings = { ...(server.fault?.slow && { timeout: 1500 }), ...(check && { fewest: true }) };
  const isNarrow = check && server.fault !== undefined;
  const { breaks, also = [] } = server.fault ?? {};
  return {
    ...server,
    kind: "blind",
    seed: 1,
    settings: server.fault === undefined ? {} : settings,
    ...(check && { today }),
    ...(isNarrow && { selection: [breaks, ...also] }),
  };
}

/** Keeps the results of full runs. The first result of a server is never overwritten. */
export function keepResults(results) {
  const kept = keptResults();
  for (const result of results) {
    const { id } = result.job;
    const today = blindResultOf(result);
    kept[id] = { ...kept[id], first: kept[id]?.first ?? today, today };
  }
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
}

/** Says how many faults were caught, and how many legal servers were blamed. */
export function blindSummary(results) {
  const faults = results.filter(({ job }) => job.fault !== undefined);
  const legal = results.filter(({ job }) => job.fault === undefined);
  const caught = faults.filter((row) => blindResultOf(row) === "caught").length;
  const blamed = legal.filter((row) => blindResultOf(row) === "blamed").length;
  return `${caught} of ${faults.length} blind faults caught, ${blamed} of ${legal.length} legal servers blamed`;
}

// The blind set: runs its servers, and keeps what the suite made of each when it saw it first, and
// what it makes of it.
import { readFileSync, writeFileSync } from "node:fs";
import { blindClasses } from "../../dist/reference/blind/index.js";
import { blindResultOf, judged, idsOf } from "./judged.mjs";
import { measureAll } from "./pool.mjs";

const file = new URL("./blind.json", import.meta.url);

/** A check runs one of this number of legal servers. Each takes a full run. */
const sampled = 8;

/** All servers of the set, with the name of their class. */
const servers = Object.entries(blindClasses).flatMap(([className, { faults, variants }]) => [
  ...faults.map((fault) => ({ id: fault.id, class: className, fault, needs: fault.needs })),
  ...variants.map(({ id, needs }) => ({ id, class: className, variants: [id], needs })),
]);

/**
 * `{ first, today, unsteady? }` of each server by its id. An unsteady one shows its mistake only at
 * some times.
 */
export function keptResults() {
  return JSON.parse(readFileSync(file, "utf8"));
}

/**
 * Runs the servers. `check` asks whether what is kept still holds: for each fault by the
 * requirements that it breaks, and for a sample of the legal servers. Otherwise full runs are made
 * and kept. Returns how many differ from what is kept.
 */
export async function runBlindSet({ check = false, only, seed, processes }) {
  const kept = keptResults();
  const jobs = servers
    .filter(({ id }) => only === undefined || only.includes(id))
    .filter((server, index) => !check || isChecked(server, kept[server.id], index, seed))
    .map((server) => jobOf(server, check, kept[server.id]?.today));
  let different = 0;
  const onResult = (result) => {
    const { ok, why } = judged(result);
    if (!ok) different += 1;
    if (!ok) console.log(`DIFFERS ${result.job.id}: ${why}`);
  };
  const results = await measureAll(jobs, { processes, limit: 240_000, onResult });
  if (!check) keep(results);
  console.log(summaryOf(results, different, check));
  return check ? different : 0;
}

function isChecked(server, result, index, seed) {
  if (result === undefined || result.unsteady) return false;
  return server.fault !== undefined || index % sampled === seed % sampled;
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

/** Keeps results of full runs. The first one of a server is never written over. */
function keep(results) {
  const kept = keptResults();
  for (const result of results) {
    const { id } = result.job;
    const today = blindResultOf(result);
    kept[id] = { ...kept[id], first: kept[id]?.first ?? today, today };
  }
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
}

function summaryOf(results, different, check) {
  const faults = results.filter(({ job }) => job.fault !== undefined);
  const legal = results.filter(({ job }) => job.fault === undefined);
  const count = (rows, name) => rows.filter((row) => blindResultOf(row) === name).length;
  const blamed = legal.filter(
    ({ run }) => run !== undefined && idsOf(run, "fail").length > 0,
  ).length;
  return [
    `${count(faults, "caught")} of ${faults.length} blind faults caught`,
    `${blamed} of ${legal.length} legal servers blamed`,
    ...(check ? [`${different} not as kept`] : []),
  ].join("; ");
}

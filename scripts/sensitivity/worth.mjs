// What requests are worth: the faults that each scenario, and each pool in it, catches, and those that nothing else does.
import { table } from "../documents/table.mjs";

/**
 * The part `worth` of docs/measurements.md from full runs: those of faults, and that of the reference server, which
 * gives the number of requests.
 */
export const worthPart = (results, total) => {
  const measured = results.filter(({ job, traffic }) => job.kind === "fault" && traffic !== undefined);
  const reference = results.find(({ job }) => job.id === "reference")?.traffic ?? [];
  const rows = worthOf(measured, reference);
  const [needed, others] = [rows.filter(({ alone }) => alone > 0), rows.filter(({ alone }) => alone === 0)];
  return [
    [
      `Measured on ${measured.length} of ${total} faults. ${sum(needed, "alone")} of them are caught by one row alone. These ${others.length} rows catch none`,
      `alone, with ${sum(others, "requests")} requests: ${others.map(({ scenario, pool }) => (pool === "" ? scenario : `${scenario} (${pool})`)).join(", ")}.`,
    ].join(" "),
    "<!-- prettier-ignore-start -->",
    table(
      ["scenario", "pool", "requests", "faults caught", "by nothing else"],
      needed.map(({ scenario, pool, requests, catches, alone }) =>
        [scenario, pool, requests, catches, alone].map(String),
      ),
    ),
    "<!-- prettier-ignore-end -->",
  ].join("\n\n");
};

/** The rows, those that catch most by themselves first. */
const worthOf = (measured, reference) => {
  const rows = new Map();
  const rowOf = ({ scenario, pool = "" }) => {
    const key = JSON.stringify([scenario, pool]);
    const row = rows.get(key) ?? { scenario, pool, requests: 0, catches: 0, alone: 0 };
    rows.set(key, row);
    return row;
  };
  for (const entry of reference) rowOf(entry).requests = entry.requests;
  for (const { job, traffic } of measured) {
    const catching = traffic.filter(({ violates }) => violates.includes(job.breaks));
    for (const entry of catching) rowOf(entry).catches += 1;
    if (catching.length === 1) rowOf(catching[0]).alone += 1;
  }
  return [...rows.values()].sort(
    (a, b) => b.alone - a.alone || b.catches - a.catches || (a.scenario + a.pool < b.scenario + b.pool ? -1 : 1),
  );
};

const sum = (rows, name) => rows.reduce((total, row) => total + row[name], 0);

// The blind set: what the suite made of each of its servers when it saw them first, and what it makes of them today.
import { readFileSync, writeFileSync } from "node:fs";
import { blindClasses } from "../../dist/reference/blind/index.js";
import { requirementIds } from "../../dist/spec/catalogue.js";
import { idsOf, violates } from "./judged.mjs";

const file = new URL("./blind.json", import.meta.url);

/** All servers of the set, with the name of their class. */
export const blindServers = Object.entries(blindClasses).flatMap(([name, { faults, variants }]) => [
  ...faults.map((fault) => ({ id: fault.id, kind: "fault", class: name, fault, needs: fault.needs })),
  ...variants.map(({ id, needs }) => ({ id, kind: "variant", class: name, variants: [id], needs })),
]);

/** What is kept of each server by its id: `{ first, today }`. */
export const keptResults = () => JSON.parse(readFileSync(file, "utf8"));

/**
 * What a full run makes of a server. A fault is `caught` if a requirement that it breaks is blamed, `elsewhere` if only
 * others are, or `missed`. A legal server is `blamed`, `clean`, or `open` if it gets no verdict.
 */
export function resultOf({ job, run, crashed }) {
  if (crashed !== undefined) return "crashed";
  const failed = idsOf(run, "fail");
  if (job.kind === "variant") return failed.length > 0 ? "blamed" : run.outcome === "conformant" ? "clean" : "open";
  const { breaks, also = [] } = job.fault;
  if ([breaks, ...also].some((id) => violates(run, id))) return "caught";
  return failed.length > 0 ? "elsewhere" : "missed";
}

/** Keeps results. The first one of a server is never written over. */
export function keep(results) {
  const kept = keptResults();
  for (const result of results) {
    const today = resultOf(result);
    kept[result.job.id] = { first: kept[result.job.id]?.first ?? today, today };
  }
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
}

import { judgedText } from "../model/outcome.ts";
import { plural } from "../model/plural.ts";
import type { Run } from "../model/run.ts";
import { durationText } from "./duration.ts";
import { counted, tally, verdicts } from "./verdict-symbols.ts";

/** A line below the summary: scope (if the summary does not contain it), counts, requests, duration, seed. */
export function headline(run: Run): string {
  const counts = tally(run.requirements);
  const shown = verdicts.filter((verdict) => counts[verdict] > 0 || verdict === "fail" || verdict === "pass");
  return [
    ...(run.complete || !["inconclusive", "error"].includes(run.outcome) ? [] : [judgedText(run)]),
    shown.map((verdict) => `${counts[verdict]} ${counted[verdict]}`).join(", "),
    `${plural(run.requests, "request")}${badCredentialsText(run)}, at most ${run.peakInFlight} in flight`,
    durationText(run.durationMs),
    `${run.seeds === undefined ? "seed" : "seeds"} ${seedsOf(run)}`,
  ].join(" · ");
}

/** The seed of a run, or those of the runs that `merge` joined: `1, 2`. */
export const seedsOf = ({ seed, seeds = [seed] }: Run): string => seeds.join(", ");

/** ` (23 with bad credentials)`; empty if they were not counted. */
export const badCredentialsText = ({ badCredentials }: Run): string =>
  badCredentials === undefined ? "" : ` (${badCredentials} with bad credentials)`;

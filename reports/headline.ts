import { judgedText } from "../model/outcome.ts";
import { plural } from "../model/plural.ts";
import type { Run } from "../model/run.ts";
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

/** A number of milliseconds for people: `0.4 ms`, `412 ms`, `3.2 s`, `2 min 5 s`, `3 h 20 min`. */
export function durationText(ms: number): string {
  if (ms < 9.95) return `${trimmed(ms)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${trimmed(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const trimmed = (value: number): string => String(Number(value.toFixed(1)));

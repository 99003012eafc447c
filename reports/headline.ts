import { durationText } from "./duration.ts";
import type { Run } from "../model/run.ts";
import { counted, verdicts } from "./verdict-symbols.ts";
import { tally } from "./tally.ts";

/** The run in one line without its outcome: counts, requests, most in flight, duration, seed. */
export function headline(run: Run): string {
  const counts = tally(run.requirements);
  const told = verdicts.filter((verdict) => counts[verdict] > 0 || verdict === "fail" || verdict === "pass");
  return [
    told.map((verdict) => `${counts[verdict]} ${counted[verdict]}`).join(", "),
    `${run.requests} ${run.requests === 1 ? "request" : "requests"}, at most ${run.peakInFlight} in flight`,
    durationText(run.durationMs),
    `seed ${run.seed}`,
  ].join(" · ");
}

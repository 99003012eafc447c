import { judgedInSmoke } from "../../spec/catalogue.ts";
import { expectedOf, mostCreations, runBound } from "../../engine/bounds.ts";
import type { RunOptions } from "../../model/run-options.ts";
import { plural } from "../../model/plural.ts";
import { durationText } from "../../reports/duration.ts";

/** What the run is about to do: its target, how much it checks, and what it creates. */
export function planText({ target, settings }: RunOptions): string {
  const { profile, selection, seed, concurrency, rate } = settings;
  const checked = profile === "smoke" ? selection.filter(judgedInSmoke) : selection;
  const limit = rate === undefined ? "" : `, at most ${plural(rate, "request")} per second`;
  const { requests, seconds } = expectedOf(settings);
  const lines = [
    `Checking ${plural(checked.length, "requirement")} at ${target.baseUrl}: profile ${profile}, seed ${seed}, ${concurrency} in flight${limit}.`,
    creationText(settings),
    `Takes about ${plural(requests, "request")} and ${durationText(seconds * 1000)} if each response takes 50 ms; ends after ${plural(Math.ceil(runBound(settings) / 60_000), "minute")} at the latest.`,
  ];
  return `${lines.join("\n")}\n`;
}

const creationText = (settings: RunOptions["settings"]): string =>
  settings.profile === "smoke"
    ? "Creates nothing: sends only POST /auth/token and GET /batches."
    : `Creates counterparties, operations, ACAM items and batches with at most ${mostCreations(settings)} requests; ` +
      "the report lists them.";

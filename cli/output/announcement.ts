import { mostCreations, runBound } from "../../engine/bounds.ts";
import type { RunOptions } from "../../engine/options.ts";
import { inSmoke } from "../../engine/smoke.ts";

/** What is about to happen: whom is asked what, and what will be created there. */
export function planText({ target, settings }: RunOptions): string {
  const { profile, selection, seed, concurrency, rate } = settings;
  const asked = profile === "smoke" ? selection.filter(inSmoke) : selection;
  const pace = rate === undefined ? "" : `, at most ${rate} requests a second`;
  const lines = [
    `Asking ${target.baseUrl} about ${counted(asked.length)}: profile ${profile}, seed ${seed}, ${concurrency} in flight${pace}.`,
    creationText(settings),
    `It ends by itself after ${Math.ceil(runBound(settings) / 60_000)} minutes at the latest.`,
  ];
  return `${lines.join("\n")}\n`;
}

const counted = (count: number): string => `${count} ${count === 1 ? "requirement" : "requirements"}`;

const creationText = (settings: RunOptions["settings"]): string =>
  settings.profile === "smoke"
    ? "Nothing is created: only POST /auth/token and GET /batches are sent."
    : "Counterparties, operations, ACAM items and batches are created there, " +
      `with at most ${mostCreations(settings)} requests; the report lists them.`;

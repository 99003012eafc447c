import { runBound } from "../engine/run-bound.ts";
import type { RunOptions } from "../engine/options.ts";

/** What is about to happen: whom is asked what, and what will be created there. */
export function planText({ target, manner }: RunOptions): string {
  const { profile, selection, seed, concurrency, rate } = manner;
  const pace = rate === undefined ? "" : `, at most ${rate} requests a second`;
  const lines = [
    `Asking ${target.baseUrl} about ${selection.length} requirements: profile ${profile}, seed ${seed}, ${concurrency} in flight${pace}.`,
    creation[profile],
    `It ends by itself after ${Math.ceil(runBound(manner) / 60_000)} minutes at the latest.`,
  ];
  return `${lines.join("\n")}\n`;
}

const creation = {
  smoke: "Nothing is created: only POST /auth/token and GET /batches are sent.",
  full: "Counterparties, operations, ACAM items and batches are created there; the report lists them.",
} as const;

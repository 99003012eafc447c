import type { Renderer } from "../renderer.ts";
import type { Outcome, Run } from "../../model/run.ts";
import { tally } from "../verdict-symbols.ts";

/** JSON for an endpoint badge of shields.io. */
export const badge: Renderer = {
  file: "badge.json",
  render: (run) =>
    `${JSON.stringify({ schemaVersion: 1, label: "fx conformance", message: messageOf(run), color: colours[run.outcome] })}\n`,
};

function messageOf(run: Run): string {
  const { fail } = tally(run.requirements);
  const { must, should } = run.judged;
  const judged = `${must.judged + should.judged} of ${must.of + should.of}`;
  if (run.outcome === "conformant") return `conformant, ${judged} judged`;
  if (run.outcome === "partial") return `no violation in ${judged}`;
  return run.outcome === "nonconformant" ? `${fail} of ${run.requirements.length} failed` : run.outcome;
}

const colours = {
  conformant: "brightgreen",
  nonconformant: "red",
  partial: "blue",
  inconclusive: "lightgrey",
  interrupted: "lightgrey",
  error: "orange",
} as const satisfies Record<Outcome, string>;

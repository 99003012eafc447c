import type { Renderer } from "./renderer.ts";
import type { Outcome, Run } from "../model/run.ts";
import { tally } from "./tally.ts";

/** The form that shields.io's endpoint badges read. */
export const badge: Renderer = {
  file: "badge.json",
  render: (run) =>
    `${JSON.stringify({ schemaVersion: 1, label: "fx conformance", message: messageOf(run), color: colours[run.outcome] })}\n`,
};

function messageOf(run: Run): string {
  const { pass, fail } = tally(run.requirements);
  const total = run.requirements.length;
  if (run.outcome === "conformant") return `conformant, ${pass} of ${total}`;
  return run.outcome === "nonconformant" ? `${fail} of ${total} failed` : run.outcome;
}

const colours = {
  conformant: "brightgreen",
  nonconformant: "red",
  partial: "blue",
  inconclusive: "lightgrey",
  interrupted: "lightgrey",
  error: "orange",
} as const satisfies Record<Outcome, string>;

import type { Progress, TargetStep } from "../../model/evidence/evidence.ts";
import { plural } from "../../model/plural.ts";
import { signs } from "../../reports/verdict-symbols.ts";
import { plain } from "../../reports/sanitize.ts";
import type { Io } from "./io.ts";

/** How often progress is printed if standard error is not a terminal, in milliseconds. */
const plainInterval = 5_000;
/** How often the live line changes, in milliseconds. */
const liveInterval = 80;

/**
 * Returns a function that shows progress: in a live line on a terminal, or else in a line every few
 * seconds.
 */
export function progressView(io: Io): (progress: Progress) => void {
  const live = io.stderrIsTerminal && io.env["TERM"] !== "dumb" && !io.env["CI"];
  const interval = live ? liveInterval : plainInterval;
  let last = live ? Number.NEGATIVE_INFINITY : io.now().getTime();
  return (progress) => {
    const now = io.now().getTime();
    if (now - last < interval) return;
    last = now;
    const line = progressText(progress);
    if (live) io.status(line.slice(0, Math.max(20, io.columns - 1)));
    else io.stderr(`${line}\n`);
  };
}

/**
 * Progress as a text: `120 requests, 40 of 90 scenarios, 2 requirements with findings`.
 */
function progressText({ requests, scenariosDone, scenarios, failing, waiting }: Progress): string {
  const words = requests === 0 && scenarios === 0 ? [] : [plural(requests, "request")];
  if (scenarios > 0) words.push(`${scenariosDone} of ${scenarios} scenarios`);
  if (failing > 0) words.push(`${plural(failing, "requirement")} with findings`);
  if (waiting !== undefined) words.push(plain(waiting));
  return words.length === 0 ? "starting" : words.join(", ");
}

/** A step before a run, with what was found. */
export type ShownStep = Pick<TargetStep, "ok" | "found" | "advice"> & { readonly step: string };

/** Returns a line with what was found at a step, and below it the advice if there is any. */
export function stepText({ step, ok, found, advice }: ShownStep): string {
  const line = `${signs[ok ? "pass" : "fail"]} ${(names[step] ?? step).padEnd(12)} ${plain(found)}`;
  return advice === undefined ? line : `${line}\n${" ".repeat(15)}${plain(advice)}`;
}

const names: Readonly<Record<string, string>> = { name: "host name", tls: "TLS", key: "API key" };

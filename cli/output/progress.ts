import type { Progress } from "../../engine/options.ts";
import { plural } from "../../model/plural.ts";
import type { Io } from "./io.ts";

/** Shows the progress of a run on standard error. */
export interface ProgressView {
  readonly show: (progress: Progress) => void;
  /** Removes the live line. */
  readonly end: () => void;
}

/** Between two lines where standard error is not a terminal, in milliseconds. */
const plainInterval = 5_000;
/** Between two states of the live line, in milliseconds. */
const liveInterval = 80;

/**
 * A line that changes in place on a terminal, a plain line every few seconds elsewhere. `expected` is about how many
 * requests the run sends; if it is known, the line estimates the remaining time from the speed so far.
 */
export function progressView(io: Io, expected = 0): ProgressView {
  const live = io.stderrIsTerminal && io.env["TERM"] !== "dumb" && !io.env["CI"];
  const interval = live ? liveInterval : plainInterval;
  let last = live ? Number.NEGATIVE_INFINITY : io.now().getTime();
  let shown = false;
  let start: { readonly at: number; readonly requests: number } | undefined;
  return {
    show: (progress) => {
      const now = io.now().getTime();
      start ??= { at: now, requests: progress.requests };
      if (now - last < interval) return;
      last = now;
      shown = live;
      const left = timeLeft(now - start.at, progress.requests - start.requests, expected - progress.requests);
      const line = progressText(progress, left);
      io.stderr(live ? `\r\u001b[K${line.slice(0, Math.max(20, io.columns - 1))}` : `${line}\n`);
    },
    end: () => {
      if (shown) io.stderr("\r\u001b[K");
      shown = false;
    },
  };
}

/** Milliseconds that the remaining requests take at the speed so far; undefined after too few requests. */
const timeLeft = (elapsed: number, done: number, remaining: number): number | undefined => {
  const left = (elapsed / done) * remaining;
  return done >= leastRequests && elapsed >= plainInterval && left >= plainInterval ? left : undefined;
};

/** How many requests an estimate needs. */
const leastRequests = 50;

/** `120 requests, 40 of 90 scenarios, about 2 min left, 2 requirements with findings`. `left` is in milliseconds. */
function progressText({ requests, scenariosDone, scenarios, failing, waiting }: Progress, left?: number): string {
  const words = [plural(requests, "request"), `${scenariosDone} of ${scenarios} scenarios`];
  if (left !== undefined) words.push(`about ${roughly(left)} left`);
  if (failing > 0) words.push(`${plural(failing, "requirement")} with findings`);
  if (waiting !== undefined) words.push(harmless(waiting));
  return words.join(", ");
}

/** Removes control characters: a part of the text may come from a server, and must not move the cursor. */
const harmless = (text: string): string => text.replace(/\p{C}/gu, " ");

/** In whole seconds, minutes or hours: it is an estimate. */
const roughly = (ms: number): string =>
  ms < 59_500
    ? `${Math.round(ms / 1000)} s`
    : ms < 5_400_000
      ? `${Math.round(ms / 60_000)} min`
      : `${Math.round(ms / 3_600_000)} h`;

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

/** A line that changes in place on a terminal, a plain line every few seconds elsewhere. */
export function progressView(io: Io): ProgressView {
  const live = io.stderrIsTerminal && io.env["TERM"] !== "dumb" && !io.env["CI"];
  const interval = live ? liveInterval : plainInterval;
  let last = live ? Number.NEGATIVE_INFINITY : io.now().getTime();
  let shown = false;
  return {
    show: (progress) => {
      const now = io.now().getTime();
      if (now - last < interval) return;
      last = now;
      shown = live;
      const line = progressText(progress);
      io.stderr(live ? `\r\u001b[K${line.slice(0, Math.max(20, io.columns - 1))}` : `${line}\n`);
    },
    end: () => {
      if (shown) io.stderr("\r\u001b[K");
      shown = false;
    },
  };
}

/** `120 requests, 40 of 90 scenarios, 2 requirements with findings`. */
export function progressText({ requests, scenariosDone, scenarios, failing, waiting }: Progress): string {
  const words = [plural(requests, "request"), `${scenariosDone} of ${scenarios} scenarios`];
  if (failing > 0) words.push(`${plural(failing, "requirement")} with findings`);
  if (waiting !== undefined) words.push(harmless(waiting));
  return words.join(", ");
}

/** Part of it may come from a server: nothing in it may move the cursor. */
const harmless = (text: string): string => text.replace(/\p{C}/gu, " ");

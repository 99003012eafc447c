import { waits } from "./bounds.ts";
import type { RunSettings } from "./target.ts";

/** How long a run may take, in milliseconds since its start. */
export interface TimeBound {
  /** When no request starts any more, so that the last ones have time to end. */
  readonly lastRequest: number;
  /** When the run has ended. */
  readonly whole: number;
  /** The bound holds only where most responses take at most a second (INT-50). */
  readonly isOfQuickServers?: true;
}

/**
 * The default options. A user who asks for more work, or for less at once, may want a longer run.
 */
const usual = { runs: 25, concurrency: 8, timeout: 10_000, grace: 5000 } as const;

/**
 * The bound of `--max-time`, or else that of a run with the default options. Undefined if the
 * settings ask for more than these.
 */
export function timeBoundOf(settings: RunSettings): TimeBound | undefined {
  const { rate, runs, concurrency, timeout, grace, maxTime } = settings;
  if (maxTime !== undefined) {
    const forTheLast = Math.min(waits.wholeRun - waits.lastRequest, maxTime / 2);
    return { lastRequest: maxTime - forTheLast, whole: maxTime };
  }
  const isShort = runs <= usual.runs && timeout <= usual.timeout && grace <= usual.grace;
  const isQuick = rate === undefined && concurrency >= usual.concurrency;
  return isShort && isQuick
    ? { lastRequest: waits.lastRequest, whole: waits.wholeRun, isOfQuickServers: true }
    : undefined;
}

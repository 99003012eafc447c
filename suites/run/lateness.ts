import { once } from "node:events";
import { pause } from "../../harness/sending/attempt.ts";

/** A resource of this age is old to a server, in milliseconds. */
const old = 2100;

/**
 * How long a patient run sends nothing, in milliseconds, so that connections and caches of the
 * server go stale.
 */
const silence = 1600;

export type UnderWay = ReturnType<typeof createUnderWay>;

/**
 * Keeps the ids of the running scenarios. `signal` stops the run, after which nothing waits for
 * them.
 */
export function createUnderWay(signal: AbortSignal) {
  const busy = new Set<string>();
  const allEnded = new AbortController();
  signal.addEventListener("abort", () => allEnded.abort(), { once: true });
  return {
    /** Notes that these scenarios run. Called once, before the first of them starts. */
    begin: (scenarios: readonly string[]): void => {
      for (const scenario of scenarios) busy.add(scenario);
      if (busy.size === 0) allEnded.abort();
    },
    /** Notes that the scenario has ended, or that nothing must wait for it. */
    end: (scenario: string): void => {
      busy.delete(scenario);
      if (busy.size === 0) allEnded.abort();
    },
    allEnded: async (): Promise<void> => {
      if (!allEnded.signal.aborted) await once(allEnded.signal, "abort");
    },
  };
}

interface LatenessParts {
  readonly underWay: UnderWay;
  /**
   * Whether the run also waits for age and silence. A run that does not never waits while it could
   * end.
   */
  readonly isPatient: boolean;
  readonly signal: AbortSignal;
}

/**
 * Waits as long as the run allows, until all other scenarios have ended or wait too (INT-32).
 * `since`: when the resource that must be old was created, in milliseconds since 1970.
 */
export function createLateness({ underWay, isPatient, signal }: LatenessParts) {
  return async (scenario: string, since: number): Promise<void> => {
    underWay.end(scenario);
    await underWay.allEnded();
    if (isPatient) await pause(Math.max(silence, since + old - Date.now()), signal);
  };
}

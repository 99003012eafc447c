import { once } from "node:events";
import { pause } from "../../harness/sending/attempt.ts";

/** How old something must be for a server to treat it as old, in milliseconds. */
const old = 2100;

/**
 * How long a patient run sends nothing, in milliseconds: connections and caches of the server go
 * stale.
 */
const silence = 1600;

export type UnderWay = ReturnType<typeof createUnderWay>;

/**
 * Scenarios that are under way, by id. `signal` stops the run: then nothing waits for them any
 * more.
 */
export function createUnderWay(signal: AbortSignal) {
  const busy = new Set<string>();
  const allEnded = new AbortController();
  signal.addEventListener("abort", () => allEnded.abort(), { once: true });
  return {
    /** Called once, before any of these scenarios starts. */
    begin: (scenarios: readonly string[]): void => {
      for (const scenario of scenarios) busy.add(scenario);
      if (busy.size === 0) allEnded.abort();
    },
    /** The scenario has ended, or nothing need wait for it. */
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
   * Whether the run waits for age and silence, too. One that does not never waits while it could
   * end.
   */
  readonly isPatient: boolean;
  readonly signal: AbortSignal;
}

/**
 * Waits as long as the run allows, until all other scenarios have ended or wait too (INT-32).
 * `since`: when what must be old began, in milliseconds since 1970.
 */
export function createLateness({ underWay, isPatient, signal }: LatenessParts) {
  return async (scenario: string, since: number): Promise<void> => {
    underWay.end(scenario);
    await underWay.allEnded();
    if (isPatient) await pause(Math.max(silence, since + old - Date.now()), signal);
  };
}

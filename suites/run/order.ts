import { EventEmitter, once } from "node:events";
import { pause } from "../../harness/sending/attempt.ts";
import type { CalibrationStepName } from "../../model/evidence/messages.ts";
import type { Phase, Scenario } from "../kit/scenario.ts";

/** A resource of this age is old to a server, in milliseconds. */
const old = 2100;

/**
 * How long a patient run sends nothing, in milliseconds, so that connections and caches of the
 * server go stale.
 */
const silence = 1600;

type Planned = Pick<Scenario, "id" | "phase" | "after">;

export type OrderOfScenarios = ReturnType<typeof createOrder>;

interface OrderParts {
  /**
   * Whether the run also waits for age and silence. A run that does not never waits while it could
   * end.
   */
  readonly isPatient: boolean;
  /** Stops the run: then nothing waits any more. */
  readonly signal: AbortSignal;
}

/**
 * What each scenario waits for. Those of the main phase wait for the phase before it, for the
 * scenarios that they come after, and for the steps of the calibration that they need. Bad
 * credentials, and what flows beside them, wait until no scenario of the main phase sends any more;
 * what waits there until something is old goes on beside them.
 */
export function createOrder({ isPatient, signal }: OrderParts) {
  const running = createUnderWay(signal);
  /** Scenarios of the main phase that have not ended, and do not wait until something is old. */
  const busy = createUnderWay(signal);
  const steps = createUnderWay(signal);
  let planned: readonly Planned[] = [];
  const idsIn = (isMeant: (phase: Phase) => boolean): readonly string[] =>
    planned.filter(({ phase = "main" }) => isMeant(phase)).map(({ id }) => id);
  const mainEnded = (): Promise<void> =>
    isPatient ? running.ended(idsIn((phase) => phase === "main")) : busy.allEnded();

  return {
    /** Called once, before any scenario starts. */
    begin: (scenarios: readonly Planned[], calibration: readonly CalibrationStepName[]): void => {
      planned = scenarios;
      running.begin(idsIn(() => true));
      busy.begin(idsIn((phase) => phase === "main"));
      steps.begin(calibration);
    },
    /** Resolves when nothing has been created that was to come later. */
    beforeEnded: (): Promise<void> => running.ended(idsIn((phase) => phase === "before")),
    /** Resolves when a scenario may start that needs these steps of the calibration. */
    turnOf: async (
      { phase = "main", after = [] }: Planned,
      needed: readonly CalibrationStepName[],
    ): Promise<void> => {
      if (phase === "before") return;
      await running.ended(idsIn((one) => one === "before"));
      await running.ended(after.map(({ id }) => id));
      await steps.ended(needed);
      if (phase !== "main") await mainEnded();
    },
    stepEnded: (step: CalibrationStepName): void => steps.end(step),
    scenarioEnded: (id: string): void => {
      busy.end(id);
      running.end(id);
    },
    /** Resolves when these scenarios have ended, as far as they run. */
    ended: running.ended,
    /**
     * Waits as long as the run allows, until all other scenarios of the main phase have ended or
     * wait too (INT-32). `since`: when the resource that must be old was created, in milliseconds since
     * 1970.
     */
    untilOld: async (id: string, since: number): Promise<void> => {
      busy.end(id);
      await busy.allEnded();
      if (isPatient) await pause(Math.max(silence, since + old - Date.now()), signal);
    },
    /** Resolves when bad credentials alone are left. */
    allButLastEnded: (): Promise<void> => running.ended(idsIn((phase) => phase !== "last")),
  };
}

/** What is under way, by id. When the run is stopped, nothing waits for it any more. */
function createUnderWay(signal: AbortSignal) {
  const busy = new Set<string>();
  const ends = new EventEmitter().setMaxListeners(0);
  const end = (id: string): void => {
    if (busy.delete(id)) ends.emit(id);
  };
  const ended = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) if (busy.has(id)) await once(ends, id);
  };
  signal.addEventListener("abort", () => [...busy].forEach(end), { once: true });
  return {
    begin: (ids: readonly string[]): void => {
      if (!signal.aborted) for (const id of ids) busy.add(id);
    },
    end,
    /** Resolves when none of these is under way. */
    ended,
    allEnded: (): Promise<void> => ended([...busy]),
  };
}

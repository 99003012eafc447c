import { EventEmitter } from "node:events";
import { pause, waitFor } from "../../harness/sending/turns.ts";
import type { CalibrationStepName } from "../../model/evidence/evidence.ts";
import type { Phase, Scenario } from "../kit/scenario.ts";

/** The age, in milliseconds, from which a resource counts as old (INT-68). */
const old = 2050;

/**
 * How many milliseconds a patient run sends nothing, so that connections and caches of the server
 * go stale.
 */
const silence = 1600;

type Planned = Pick<Scenario, "id" | "phase" | "after">;

interface OrderParts {
  /** Whether the run also waits until connections are stale. */
  readonly isPatient: boolean;
  /** Aborts when the run is ended. Then all waits end (`waitFor`). */
  readonly signal: AbortSignal;
}

/**
 * Says what each scenario waits for. Scenarios of the main phase wait for those of phase `before`,
 * for the scenarios that they come after, and for the steps of the calibration that they need. Bad
 * credentials, and what flows beside them, wait until no scenario of the main phase sends any more.
 * What waits until something is old goes on when all that has ended, and those of phase `end` come
 * last.
 */
export function createOrder({ isPatient, signal }: OrderParts) {
  const running = createUnderWay("the scenario", signal);
  /** Scenarios that have not ended, and do not wait until something is old. */
  const busy = createUnderWay("the scenario", signal);
  const steps = createUnderWay("the step of the calibration", signal);
  let planned: readonly Planned[] = [];
  const idsIn = (isMeant: (phase: Phase) => boolean): readonly string[] =>
    planned.filter(({ phase = "main" }) => isMeant(phase)).map(({ id }) => id);

  return {
    /**
     * Notes the scenarios of the run and the steps of its calibration. Called once, before any
     * scenario starts.
     */
    begin: (scenarios: readonly Planned[], calibration: readonly CalibrationStepName[]): void => {
      planned = scenarios;
      running.begin(idsIn(() => true));
      busy.begin(idsIn((phase) => phase !== "end"));
      steps.begin(calibration);
    },
    /**
     * Resolves when the scenarios of phase `before` have ended, so that resources may be created.
     */
    beforeEnded: (): Promise<void> => running.ended(idsIn((phase) => phase === "before")),
    /**
     * Resolves when a scenario may start. `needed`: the steps of the calibration that it waits for.
     */
    turnOf: async (
      { phase = "main", after = [] }: Planned,
      needed: readonly CalibrationStepName[],
    ): Promise<void> => {
      if (phase === "before") return;
      await running.ended(idsIn((one) => one === "before"));
      await running.ended(after.map(({ id }) => id));
      await steps.ended(needed);
      if (phase !== "main") await busy.ended(idsIn((one) => one === "main"));
      if (phase === "end") await running.ended(idsIn((one) => one !== "end"));
    },
    stepEnded: (step: CalibrationStepName): void => steps.end(step),
    scenarioEnded: (id: string): void => {
      busy.end(id);
      running.end(id);
    },
    /**
     * Waits until all other scenarios have ended or wait too, but for those of phase `end`, and then
     * until something is old (INT-68). `since`: when that was created, in milliseconds since 1970.
     */
    untilOld: async (id: string, since: number): Promise<void> => {
      busy.end(id);
      await busy.allEnded();
      await pause(Math.max(isPatient ? silence : 0, since + old - Date.now()), signal);
    },
    /**
     * Resolves when all scenarios have ended but those with bad credentials (phase `last`) and what
     * comes after them.
     */
    allButLastEnded: (): Promise<void> =>
      busy.ended(idsIn((phase) => phase !== "last" && phase !== "end")),
  };
}

/** Keeps the ids of what is under way. */
function createUnderWay(what: string, signal: AbortSignal) {
  const busy = new Set<string>();
  const ends = new EventEmitter().setMaxListeners(0);
  const end = (id: string): void => {
    if (busy.delete(id)) ends.emit(id);
  };
  const ended = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids)
      if (busy.has(id))
        await waitFor<void>(`${what} ${id}`, signal, (go) => {
          ends.once(id, go);
          return () => void ends.off(id, go);
        });
  };
  return {
    begin: (ids: readonly string[]): void => ids.forEach((id) => void busy.add(id)),
    end,
    /** Resolves when none of these ids is under way. */
    ended,
    allEnded: (): Promise<void> => ended([...busy]),
  };
}

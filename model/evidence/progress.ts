import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { SentKind } from "../run.ts";
import { createCounts } from "./responses.ts";
import type { TargetStep, RunState } from "./evidence.ts";

export type ProgressCounters = ReturnType<typeof createProgress>;

const sentKinds = [
  "valid",
  "unusual",
  "invalid",
  "bad credentials",
] as const satisfies readonly SentKind[];

/** Counts how far a run is, and calls `changed` after each change. */
export function createProgress(changed: () => void = () => undefined) {
  const sent = createCounts<SentKind>();
  const took = new Map<RequirementId, number>();
  const steps: TargetStep[] = [];
  let operations: readonly OperationName[] = [];
  let planned = 0;
  let done = 0;
  let peakInFlight = 0;
  let isEnded = false;
  let waiting: string | undefined;

  return {
    step: (step: TargetStep): void => {
      steps.push(step);
      changed();
    },
    plan: (scenarios: number, needed: readonly OperationName[]): void => {
      planned = scenarios;
      operations = needed;
      changed();
    },
    sends: (operation: OperationName, kind: SentKind): void => {
      sent.add(operation, kind);
      changed();
    },
    /**
     * Notes that the run waits for long, such as for a rate limit or a target in trouble. The next
     * response ends the note.
     */
    waits: (text: string): void => {
      waiting = text;
      changed();
    },
    responded: (): void => {
      waiting = undefined;
      changed();
    },
    /** Notes that a scenario of these requirements has ended, after `ms` milliseconds. */
    ends: (requirements: readonly RequirementId[], ms: number): void => {
      done += 1;
      for (const id of requirements) took.set(id, (took.get(id) ?? 0) + ms);
      changed();
    },
    /** Notes that the run has ended. `peak`: the most requests that were in flight at once. */
    end: (peak: number): void => {
      peakInFlight = peak;
      isEnded = true;
      changed();
    },
    now: (): RunState => ({
      sent: sent
        .all((one, other) => sentKinds.indexOf(one) - sentKinds.indexOf(other))
        .map(({ operation, key: kind, count }) => ({ operation, kind, count })),
      operations,
      planned,
      done,
      peakInFlight,
      isEnded,
      took: [...took],
      steps: [...steps],
      waiting,
    }),
  };
}

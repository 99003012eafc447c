import type { Run } from "../../model/run.ts";
import type { RunOptions } from "../../model/run-options.ts";
import type { RunControl } from "./control.ts";
import { prepareWorker } from "./thread.ts";

/**
 * Runs the suites against a target. Never throws because of what the target does. An internal error
 * gives the outcome `error`.
 */
export async function run(
  options: RunOptions,
  control: RunControl = {},
  workerOf = () => prepareWorker(),
): Promise<Run> {
  // The thread comes first: it loads the suites while this one loads everything else.
  const worker = startedBy(workerOf);
  const { carryOut } = await import("./carry-out.ts");
  return carryOut(options, control, worker);
}

/** Calls the function at once. What it throws rejects the promise. */
async function startedBy<T>(start: () => T): Promise<T> {
  return start();
}

export type WarmEngine = ReturnType<typeof createWarmEngine>;

/** How many runs one thread serves by default. */
const usualRuns = 25;

/**
 * An engine for runs that follow one another. One thread serves up to `mostRuns` of them. The first
 * thread is prepared at once, and another as soon as a thread can serve no further run.
 */
export function createWarmEngine(mostRuns = usualRuns) {
  let worker = prepareWorker(mostRuns);
  let isClosed = false;
  const next = (): typeof worker => {
    if (!worker.hasNext()) worker = prepareWorker(mostRuns);
    return worker;
  };
  return {
    run: async (options: RunOptions, control?: RunControl): Promise<Run> => {
      try {
        return await run(options, control, next);
      } finally {
        if (isClosed) await worker.close();
        else next();
      }
    },
    close: async (): Promise<void> => {
      isClosed = true;
      await worker.close();
    },
  };
}

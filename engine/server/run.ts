import type { Run } from "../../model/run.ts";
import type { RunOptions } from "../../model/run-options.ts";
import type { RunControl } from "./control.ts";
import { prepareWorker } from "./thread.ts";

/**
 * Runs the suites against a target. Never throws because of what the target does. An internal error
 * gives the outcome `error`.
 */
export async function run(options: RunOptions, control?: RunControl): Promise<Run> {
  const engine = createWarmEngine();
  try {
    return await engine.run(options, control);
  } finally {
    await engine.close();
  }
}

export type WarmEngine = ReturnType<typeof createWarmEngine>;

/**
 * An engine for runs that follow one another, in one thread. If a run has ended the thread, the next
 * one gets a new one.
 */
export function createWarmEngine() {
  // The thread comes first: it loads the suites while this one loads everything else.
  let worker = prepareWorker();
  return {
    run: async (options: RunOptions, control: RunControl = {}): Promise<Run> => {
      if (!worker.isAlive()) worker = prepareWorker();
      const { carryOut } = await import("./carry-out.ts");
      return carryOut(options, control, worker);
    },
    close: (): Promise<void> => worker.end(),
  };
}

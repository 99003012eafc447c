import type { Run } from "../model/run.ts";
import type { RunControl, RunOptions } from "./options.ts";
import { run } from "./run.ts";
import { prepareWorker, type PreparedWorker } from "./worker.ts";

/** Runs one after the other, each in a worker that was prepared before it is needed. */
export interface WarmEngine {
  readonly run: (options: RunOptions, control?: RunControl) => Promise<Run>;
  readonly close: () => Promise<void>;
}

/** Prepares the first worker at once, and the next one whenever a run has ended. */
export const createWarmEngine = (): WarmEngine => {
  let next: PreparedWorker | undefined = prepareWorker();
  let isClosed = false;
  const take = (): PreparedWorker => {
    const worker = next ?? prepareWorker();
    next = undefined;
    return worker;
  };
  return {
    run: async (options, control) => {
      try {
        return await run(options, control, take);
      } finally {
        if (!isClosed) next ??= prepareWorker();
      }
    },
    close: async () => {
      isClosed = true;
      await next?.discard();
    },
  };
};

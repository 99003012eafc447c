import type { Run } from "../model/run.ts";
import type { RunOptions } from "../model/run-options.ts";
import type { RunControl } from "./options.ts";
import { run } from "./run.ts";
import { prepareWorkers, type PreparedWorker } from "./worker.ts";

/** Runs one after the other, each in a worker that was prepared before it is needed. */
export interface WarmEngine {
  readonly run: (options: RunOptions, control?: RunControl) => Promise<Run>;
  readonly close: () => Promise<void>;
}

/** Runs that one thread serves before another takes its place. */
const mostRuns = 25;

/** Prepares the first worker at once, and the next one whenever a run has ended. */
export const createWarmEngine = (): WarmEngine => {
  let series = prepareWorkers(mostRuns);
  const prepare = (): PreparedWorker => {
    let worker = series.next();
    while (worker === undefined) {
      series = prepareWorkers(mostRuns);
      worker = series.next();
    }
    return worker;
  };
  let next: PreparedWorker | undefined = prepare();
  let isClosed = false;
  const take = (): PreparedWorker => {
    const worker = next ?? prepare();
    next = undefined;
    return worker;
  };
  return {
    run: async (options, control) => {
      try {
        return await run(options, control, take);
      } finally {
        if (isClosed) await series.close();
        else next ??= prepare();
      }
    },
    close: async () => {
      isClosed = true;
      await series.close();
    },
  };
};

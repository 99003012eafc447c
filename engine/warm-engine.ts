import type { Run } from "../model/run.ts";
import type { RunOptions } from "../model/run-options.ts";
import type { RunControl } from "./options.ts";
import { run } from "./run.ts";
import { prepareWorkers, type PreparedWorker } from "./worker.ts";

export type WarmEngine = ReturnType<typeof createWarmEngine>;

const mostRuns = 25;

/** Runs one after the other, each in a worker that was prepared before: the first at once, the next after each run. */
export const createWarmEngine = () => {
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
    run: async (options: RunOptions, control?: RunControl): Promise<Run> => {
      try {
        return await run(options, control, take);
      } finally {
        if (isClosed) await series.close();
        else next ??= prepare();
      }
    },
    close: async (): Promise<void> => {
      isClosed = true;
      await series.close();
    },
  };
};

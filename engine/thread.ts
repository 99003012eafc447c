import { Worker } from "node:worker_threads";
import type { PoolRunnerInitializer, PoolWorker } from "vitest/node";
import type { WorkerPreparation } from "../harness/worker-input.ts";

/** A thread in which vitest runs the suites. */
export interface Thread {
  /** What vitest knows it as: a pool of its own, of one worker. */
  readonly pool: PoolRunnerInitializer;
  /** Ends it, whatever it is busy with. */
  readonly end: () => Promise<void>;
}

/** Starts a thread at once: vitest's own pool would start one when vitest has loaded, and then load the suites. */
export const startThread = (preparation: WorkerPreparation): Thread => {
  const worker = new Worker(new URL("../suites/worker/thread.js", import.meta.url), {
    workerData: preparation,
    // Flags of the process, as of `node --eval`, are not for this module.
    execArgv: [],
    // Room for lists of the largest bodies. Where V8 has more, it lets garbage pile up to four times what is in use.
    resourceLimits: { maxOldGenerationSizeMb: 2000 },
    // Nothing of ours is printed there.
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  let failure: Error | undefined;
  worker.on("error", (error: Error) => {
    failure = error;
  });
  const end = async (): Promise<void> => void (await worker.terminate());
  const name = "fxconform";
  const createPoolWorker = (): PoolWorker => ({
    name,
    on: (event, receive) => void worker.on(event, receive),
    off: (event, receive) => void worker.off(event, receive),
    send: (message) => worker.postMessage(message),
    deserialize: (data) => data,
    // What broke before vitest listened would be lost.
    start: async () => {
      if (failure !== undefined) throw failure;
    },
    stop: end,
  });
  return { pool: { name, createPoolWorker }, end };
};

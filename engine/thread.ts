import { Worker } from "node:worker_threads";
import type { PoolRunnerInitializer, PoolWorker } from "vitest/node";
import type { WorkerPreparation } from "../harness/worker-input.ts";

export type Thread = ReturnType<typeof startThread>;

/** Starts a thread at once. vitest's own pool would start it only after vitest has loaded. */
export const startThread = (preparation: WorkerPreparation) => {
  const worker = new Worker(new URL("../suites/worker/thread.js", import.meta.url), {
    workerData: preparation,
    // The thread must not inherit flags of this process, such as `--eval`.
    execArgv: [],
    // Enough for the largest lists. With more, V8 keeps up to four times as much garbage as data in use.
    resourceLimits: { maxOldGenerationSizeMb: 2000 },
    // The thread prints nothing that a user needs.
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
    // Otherwise an error before vitest listens would be lost.
    start: async () => {
      if (failure !== undefined) throw failure;
    },
    stop: end,
  });
  const pool: PoolRunnerInitializer = { name, createPoolWorker };
  return { pool, end };
};

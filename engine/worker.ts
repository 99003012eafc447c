import { randomUUID } from "node:crypto";
import type { WorkerInput } from "../harness/worker-input.ts";
import { contractJsonPath } from "../spec/contract.ts";
import { startVitest, startThread } from "./vitest-run.ts";

export interface WorkerEnd {
  /** Errors of our code that no scenario reported: short texts. */
  readonly errors: readonly string[];
}

/** A worker thread of vitest that loads the suites and then waits for its run. */
export type PreparedWorker = ReturnType<typeof prepareWorker>;

/** Prepares a worker for one run. Nothing of the user's directory is opened or written. */
export const prepareWorker = () => {
  const worker = prepareWorkers(1).next();
  if (worker === undefined) throw new Error("the worker had no run");
  return worker;
};

/** Prepares a thread that serves `most` runs, one after the other: from the second on, its code is already compiled. */
export const prepareWorkers = (most: number) => {
  const runs = Array.from({ length: most }, () => createServedRun(`fxconform-${randomUUID()}`));
  // The thread loads the suites while this one loads vitest; a pool of vitest's own would begin with that only then.
  const thread = startThread({ contract: contractJsonPath.href, runs: runs.map(({ channels }) => channels) });
  const served = runs.values();
  const vitest = startVitest(thread, most, (errors) => served.next().value?.end({ errors }));
  let isEnded = false;
  const ended = vitest.ended.finally(() => {
    isEnded = true;
    for (const { close } of runs) close();
    void thread.end();
  });
  /** Resolves after a failure too, which the run reports. */
  const settled = ended.catch(() => undefined);
  const cancel = (): void => {
    isEnded = true;
    vitest.cancel();
  };
  const prepared = (run: ServedRun, isLast: boolean) => {
    const loaded = Promise.race([run.ready, settled]);
    const start = async (input: WorkerInput | undefined): Promise<void> => {
      await loaded;
      if (!isEnded) run.start(input);
    };
    return {
      /** Name of the channel that takes evidence out and commands in. */
      channel: run.channels.channel,
      begun: vitest.begun,
      /** Resolves when the worker has loaded the suites, or has ended before that. */
      loaded,
      run: async (input: WorkerInput): Promise<WorkerEnd> => {
        await start(input);
        const end = await Promise.race([run.ended, ended.then(() => ({ errors: ["the suites did not load"] }))]);
        if (isLast) await ended;
        return end;
      },
      /** Ends a run early: the first call cancels the tests, the second terminates the worker. */
      cancel,
      discard: async (): Promise<void> => {
        await start(undefined);
        await Promise.race([isLast ? settled : run.ended, settled]);
      },
    };
  };
  const left = runs.values();
  return {
    /** The worker for the next run. Undefined if the thread has served all its runs, or was cancelled. */
    next: () => {
      const { value: run } = isEnded ? {} : left.next();
      return run && prepared(run, run === runs.at(-1));
    },
    close: async (): Promise<void> => {
      await Promise.race([runs[0]?.ready, settled]);
      cancel();
      cancel();
      await settled;
    },
  };
};

type ServedRun = ReturnType<typeof createServedRun>;

const createServedRun = (channel: string) => {
  const start = new BroadcastChannel(`${channel}-start`);
  const ready = new Promise<void>((resolve) => {
    start.onmessage = () => resolve();
  });
  let end: (how: WorkerEnd) => void = () => undefined;
  const ended = new Promise<WorkerEnd>((resolve) => {
    end = resolve;
  });
  return {
    channels: { channel, start: start.name },
    ready,
    start: (input: WorkerInput | undefined): void => start.postMessage(input),
    ended,
    end: (how: WorkerEnd): void => end(how),
    close: (): void => start.close(),
  };
};

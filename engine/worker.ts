import { randomUUID } from "node:crypto";
import type { WorkerInput } from "../harness/worker-input.ts";
import { contractJsonPath } from "../spec/contract.ts";
import { startVitest, startThread } from "./vitest-run.ts";

export interface WorkerEnd {
  /** Errors of our code that no scenario reported: short texts. */
  readonly errors: readonly string[];
}

/** A worker thread of vitest that loads the suites and then waits for its run. */
export interface PreparedWorker {
  /** Name of the channel that takes evidence out and commands in. */
  readonly channel: string;
  /** Resolves when vitest has loaded and the main thread can load something else. */
  readonly begun: Promise<void>;
  /** Resolves when the worker has loaded the suites, or has ended before that. */
  readonly loaded: Promise<void>;
  readonly run: (input: WorkerInput) => Promise<WorkerEnd>;
  /** Ends a run early: the first call cancels the tests, the second terminates the worker. */
  readonly cancel: () => void;
  readonly discard: () => Promise<void>;
}

/** Prepares a worker for one run. Nothing of the user's directory is opened or written. */
export const prepareWorker = (): PreparedWorker => {
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
  const prepared = (run: ServedRun, isLast: boolean): PreparedWorker => {
    const loaded = Promise.race([run.ready, settled]);
    const start = async (input: WorkerInput | undefined): Promise<void> => {
      await loaded;
      if (!isEnded) run.start(input);
    };
    return {
      channel: run.channels.channel,
      begun: vitest.begun,
      loaded,
      run: async (input) => {
        await start(input);
        const end = await Promise.race([run.ended, ended.then(() => ({ errors: ["the suites did not load"] }))]);
        if (isLast) await ended;
        return end;
      },
      cancel,
      discard: async () => {
        await start(undefined);
        await Promise.race([isLast ? settled : run.ended, settled]);
      },
    };
  };
  const left = runs.values();
  return {
    /** The worker for the next run. Undefined if the thread has served all its runs, or was cancelled. */
    next: (): PreparedWorker | undefined => {
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

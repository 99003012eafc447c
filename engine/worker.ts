import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { WorkerInput } from "../harness/worker-input.ts";
import type { Evidence } from "../model/evidence.ts";
import { contractJsonPath } from "../spec/contract.ts";
import { startVitest, startThread } from "./vitest-run.ts";

export interface WorkerEnd {
  /** Errors of our code that no scenario reported: short texts. */
  readonly errors: readonly string[];
}

/** A worker thread of vitest that loads the suites and then waits for its run. */
export type PreparedWorker = ReturnType<typeof prepareWorker>;

/** Prepares a worker for one run. */
export const prepareWorker = () => prepareWorkers(1).next();

/** Milliseconds that the last evidence may take after its run has ended. */
const longestEvidence = 2000;

/**
 * Prepares a thread that serves `most` runs, one after the other: from the second on, its code is already compiled.
 * Nothing of the user's directory is opened or written.
 */
export const prepareWorkers = (most: number) => {
  const runs = Array.from({ length: most }, createServedRun);
  // The thread loads the suites while this one loads vitest; a pool of vitest's own would begin with that only then.
  const thread = startThread({ contract: contractJsonPath.href, channels: runs.map(({ channel }) => channel.name) });
  const served = runs.values();
  const vitest = startVitest(thread, most, (errors) => served.next().value?.end({ errors }));
  const left = [...runs];
  let isEnded = false;
  const ended = vitest.ended.finally(() => {
    isEnded = true;
    for (const { channel } of left) channel.close();
    void thread.end();
  });
  /** Resolves after a failure too, which the run reports. */
  const settled = ended.catch(() => undefined);
  const cancel = (): void => {
    isEnded = true;
    vitest.cancel();
  };
  const prepared = ({ channel, ready, ended: runEnded }: ServedRun, isLast: boolean) => {
    let isStopped = false;
    return {
      run: async (input: WorkerInput, take: (evidence: readonly Evidence[]) => void): Promise<WorkerEnd> => {
        // The worker loads the suites first.
        await Promise.race([ready, settled]);
        const reported = lastOn(channel, take);
        if (!isEnded) channel.postMessage(input);
        if (!isEnded && isStopped) channel.postMessage("stop");
        const end = await Promise.race([runEnded, ended.then(() => ({ errors: ["the suites did not load"] }))]);
        if (isLast) await ended;
        await Promise.race([reported, new Promise((resolve) => setTimeout(resolve, longestEvidence).unref())]);
        return end;
      },
      /** Asks the scenarios to end. */
      stop: (): void => {
        isStopped = true;
        if (!isEnded) channel.postMessage("stop");
      },
      /** Ends a run early: the first call cancels the tests, the second terminates the worker. */
      cancel,
      /** Takes no more evidence. */
      close: (): void => channel.close(),
    };
  };
  return {
    /** False if the thread has served all its runs, or was cancelled. */
    hasNext: (): boolean => !isEnded && left.length > 0,
    /** The worker for the next run. */
    next: () => {
      const run = left.shift();
      if (run === undefined) throw new Error("the worker had no run");
      return prepared(run, left.length === 0);
    },
    close: async (): Promise<void> => {
      await Promise.race([runs[0]?.ready, settled]);
      cancel();
      cancel();
      await settled;
    },
  };
};

/** Takes what the channel brings. Resolves with the last evidence of a run. */
const lastOn = (channel: ServedRun["channel"], take: (evidence: readonly Evidence[]) => void): Promise<void> =>
  new Promise((resolve) => {
    channel.onmessage = (event) => {
      const { data } = event as { data: readonly Evidence[] };
      take(data);
      if (data.some(({ type }) => type === "end")) resolve();
    };
  });

type ServedRun = ReturnType<typeof createServedRun>;

/** Its channel brings out that the worker is ready, and then evidence; it takes in the run, and then that it stops. */
const createServedRun = () => {
  const channel = new BroadcastChannel(`fxconform-${randomUUID()}`);
  let end: (how: WorkerEnd) => void = () => undefined;
  const ended = new Promise<WorkerEnd>((resolve) => {
    end = resolve;
  });
  return { channel, ready: once(channel, "message"), ended, end: (how: WorkerEnd): void => end(how) };
};

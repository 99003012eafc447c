import { EventEmitter, once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { MessageChannel } from "node:worker_threads";
import type { WorkerInput } from "./worker/input.ts";
import type { Parcel } from "../../model/evidence/messages.ts";
import { contractJsonPath } from "../../spec/contract.ts";
import { startVitest, startThread } from "./vitest.ts";

export interface WorkerEnd {
  /** Errors of our code that no scenario reported: short texts. */
  readonly errors: readonly string[];
}

/** A worker thread of vitest that loads the suites and then waits for its runs. */
export type PreparedWorker = ReturnType<typeof prepareWorker>;

/** Milliseconds that the last parcel may take after its run has ended. */
const longestParcel = 2000;

/**
 * Prepares a thread that serves `most` runs, one after the other: from the second on, its code is
 * already compiled. Nothing of the user's directory is opened or written.
 */
export function prepareWorker(most = 1) {
  const { port1: port, port2 } = new MessageChannel();
  // The thread loads the suites while this one loads vitest; a pool of vitest's own would begin
  // with that only then.
  const thread = startThread({ contract: contractJsonPath.href, port: port2 });
  /** `ready` for the next run, a `parcel` of a run, that it is `reported`, and its `end`. */
  const news = new EventEmitter();
  port.on("message", (message: "ready" | Parcel) => {
    if (message === "ready") return void news.emit("ready");
    news.emit("parcel", message);
    if (message.messages.some((one) => one.type === "progress" && one.isEnded))
      news.emit("reported");
  });
  const vitest = startVitest(thread, most, (errors) => news.emit("end", { errors }));
  let left = most;
  let isStopped = false;
  let isEnded = false;
  let ready = once(news, "ready");
  let end = once(news, "end");
  const ended = vitest.ended.finally(() => {
    isEnded = true;
    port.close();
    void thread.end();
  });
  const dead = thread.died.then((error): WorkerEnd => {
    isEnded = true;
    return { errors: [error] };
  });
  /** Resolves after a failure too, which the run reports. */
  const settled = Promise.race([ended.catch(() => undefined), dead]);
  const cancel = (): void => {
    isEnded = true;
    vitest.cancel();
  };
  return {
    /** False if the thread has served all its runs, or was cancelled. */
    hasNext: (): boolean => !isEnded && left > 0,
    run: async (input: WorkerInput, take: (parcel: Parcel) => void): Promise<WorkerEnd> => {
      left -= 1;
      isStopped = false;
      const reported = once(news, "reported");
      news.removeAllListeners("parcel").on("parcel", take);
      // The worker loads the suites first.
      await Promise.race([ready, settled]);
      ready = once(news, "ready");
      port.postMessage(input);
      if (isStopped) port.postMessage("stop");
      const noEnd: WorkerEnd = { errors: ["the suites did not load"] };
      const [how] = (await Promise.race([
        end,
        ended.then(() => [noEnd]),
        dead.then((how) => [how]),
      ])) as [WorkerEnd];
      end = once(news, "end");
      if (left === 0) await Promise.race([ended, dead]);
      await Promise.race([reported, pause(longestParcel, undefined, { ref: false })]);
      return how;
    },
    /** Asks the scenarios to end. */
    stop: (): void => {
      isStopped = true;
      port.postMessage("stop");
    },
    /** Ends a run early: the first call cancels the tests, the second terminates the worker. */
    cancel,
    close: async (): Promise<void> => {
      await Promise.race([ready, settled]);
      cancel();
      cancel();
      await settled;
    },
  };
}

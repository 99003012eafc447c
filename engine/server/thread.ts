import { EventEmitter, once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { MessageChannel } from "node:worker_threads";
import type { WorkerInput } from "./worker/input.ts";
import type { Parcel } from "../../model/evidence/messages.ts";
import { contractJsonPath } from "../../spec/contract.ts";
import { startVitest, startThread } from "./vitest.ts";

export interface WorkerEnd {
  /** Short texts of errors in our code that no scenario reported. */
  readonly errors: readonly string[];
}

/** A worker thread of vitest that loads the suites and then waits for its runs. */
export type PreparedWorker = ReturnType<typeof prepareWorker>;

/** How long the last parcel may take after its run has ended, in milliseconds. */
const longestParcel = 2000;

/** A thread that loads the suites, and the port on this side of its channel. */
type LoadingThread = ReturnType<typeof startLoading>;

let ahead: LoadingThread | undefined;

/**
 * Starts the thread of the next worker, so that a command that will need one can read its options
 * meanwhile.
 */
export function startAhead(): void {
  ahead ??= startLoading();
}

/**
 * Starts a thread, which loads the suites while this one loads vitest. A pool of vitest would start
 * its thread only after vitest has loaded.
 */
function startLoading() {
  const { port1: port, port2 } = new MessageChannel();
  const thread = startThread({ contract: contractJsonPath.href, port: port2 });
  return { thread, port };
}

/**
 * Prepares a thread that serves `most` runs, one after the other. From the second run on, its code
 * is already compiled. No file in the user's directory is opened or written.
 */
export function prepareWorker(most = 1) {
  const { thread, port } = ahead ?? startLoading();
  ahead = undefined;
  /**
   * The events of the thread: it is `ready` for the next run, a `parcel` of a run came, the run is
   * `reported`, and its tests have reached their `end`.
   */
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
  /**
   * Resolves when vitest or the thread has ended, also after a failure. `run` reports the failure.
   */
  const settled = Promise.race([ended.catch(() => undefined), dead]);
  const cancel = (): void => {
    isEnded = true;
    vitest.cancel();
  };
  return {
    /**
     * Whether the thread can serve another run: fewer than `most` have begun, and it has neither
     * ended nor been cancelled.
     */
    hasNext: (): boolean => !isEnded && left > 0,
    run: async (input: WorkerInput, take: (parcel: Parcel) => void): Promise<WorkerEnd> => {
      left -= 1;
      isStopped = false;
      const reported = once(news, "reported");
      news.removeAllListeners("parcel").on("parcel", take);
      // The thread may still be loading the suites.
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
    /** Ends a run early. The first call cancels the tests, the second terminates the worker. */
    cancel,
    close: async (): Promise<void> => {
      await Promise.race([ready, settled]);
      cancel();
      cancel();
      await settled;
    },
  };
}

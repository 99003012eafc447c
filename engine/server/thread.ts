import { MessageChannel, Worker } from "node:worker_threads";
import { bounds } from "../../model/bounds.ts";
import type { Parcel } from "../../model/evidence/evidence.ts";
import { contractJsonPath } from "../../spec/contract.ts";
import type { WorkerInput } from "./worker/run-context.ts";
import type { WorkerPreparation } from "./worker/thread.ts";

export interface WorkerEnd {
  /** Short texts of errors in our code that no scenario reported. */
  readonly errors: readonly string[];
}

/** A worker thread that carries out runs, one after the other. */
export type PreparedWorker = ReturnType<typeof startWorker>;

let ahead: PreparedWorker | undefined;

/**
 * Starts the thread of the next run, so that it loads while a command that will need it reads its
 * options.
 */
export function startAhead(): void {
  ahead ??= startWorker();
}

/** The thread that was started ahead, or a new one. */
export function prepareWorker(): PreparedWorker {
  const worker = ahead ?? startWorker();
  ahead = undefined;
  return worker;
}

/**
 * The megabytes for young values. With a third of it, collecting garbage takes a tenth of the time of
 * a run; with more, V8 holds ten megabytes more at once.
 */
const youngMemory = 12;

/** Starts a thread, which loads the suites at once. From its second run on, its code is compiled. */
function startWorker() {
  const { port1: port, port2 } = new MessageChannel();
  const preparation: WorkerPreparation = { contract: contractJsonPath.href, port: port2 };
  const worker = new Worker(new URL("./bundle/thread.js", import.meta.url), {
    workerData: preparation,
    transferList: [port2],
    // The thread must not inherit flags of this process, such as `--eval`.
    execArgv: [],
    // With a larger heap, V8 keeps up to four times as much garbage as data in use.
    resourceLimits: {
      maxOldGenerationSizeMb: bounds.threadMemory,
      maxYoungGenerationSizeMb: youngMemory,
    },
    // The thread prints nothing that a user needs.
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  let isAlive = true;
  let failure: Error | undefined;
  worker.once("error", (error: Error) => (failure = error));
  const died = new Promise<WorkerEnd>((resolve) => {
    worker.once("exit", (code) => {
      isAlive = false;
      resolve({
        errors: [`the thread of the suites died: ${failure?.message ?? `exit code ${code}`}`],
      });
    });
  });
  return {
    isAlive: (): boolean => isAlive,
    /** Carries out a run, whose parcels `take` gets. Resolves when it has ended, however it ended. */
    run: (input: WorkerInput, take: (parcel: Parcel) => void): Promise<WorkerEnd> => {
      const ended = new Promise<WorkerEnd>((resolve) => {
        port.removeAllListeners("message").on("message", (message: Parcel | WorkerEnd) => {
          if ("errors" in message) resolve(message);
          else take(message);
        });
      });
      port.postMessage(input);
      return Promise.race([ended, died]);
    },
    /** Asks the scenarios to end. */
    stop: (): void => port.postMessage("stop"),
    /** Ends the thread. */
    end: async (): Promise<void> => {
      isAlive = false;
      await worker.terminate();
      port.close();
    },
  };
}

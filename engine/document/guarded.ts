import { Worker } from "node:worker_threads";
import { InputError } from "../../model/files.ts";
import type { OfflineOptions } from "../../model/run-options.ts";
import type { Run } from "../../model/run.ts";
import { shownAddress } from "../../model/target.ts";
import { limits, tooSlow } from "./budget.ts";
import type { DocumentRequest } from "./document.ts";

export interface GuardedWork {
  readonly options: OfflineOptions;
  readonly request: DocumentRequest;
}

export type GuardedAnswer =
  | { readonly run: Run }
  | { readonly refused: readonly [file: string, what: string] }
  | { readonly failed: string };

/**
 * Judges a document in a thread of its own, which is ended once the time is up, whatever it is busy
 * with. This thread stays free to hear signals. Throws InputError as `judgeDocument` does.
 */
export async function judgeGuarded(
  options: OfflineOptions,
  request: DocumentRequest,
): Promise<Run> {
  // Tests run the sources, which Node cannot load in a thread.
  if (import.meta.url.endsWith(".ts"))
    return (await import("./judge.ts")).judgeDocument(options, request);
  const work: GuardedWork = { options, request };
  const worker = new Worker(new URL("./thread.js", import.meta.url));
  worker.postMessage(work);
  let timer: NodeJS.Timeout | undefined;
  try {
    const answer = await new Promise<GuardedAnswer>((done, fail) => {
      worker.once("message", done);
      worker.once("error", fail);
      timer = setTimeout(
        () => fail(tooSlow(shownAddress(request.source))),
        // The thread itself gives up first, where it can.
        limits.milliseconds + 1000,
      );
    });
    if ("run" in answer) return answer.run;
    if ("refused" in answer) throw new InputError(...answer.refused);
    throw new Error(answer.failed);
  } finally {
    clearTimeout(timer);
    void worker.terminate();
  }
}

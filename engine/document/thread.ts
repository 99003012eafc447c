import { parentPort } from "node:worker_threads";
import { InputError } from "../../model/files.ts";
import type { GuardedAnswer, GuardedWork } from "./guarded.ts";
import { judgeDocument } from "./judge.ts";

/** Judges a document in a thread of its own, which `guarded.ts` starts and can end. */
parentPort?.once("message", ({ options, request }: GuardedWork) => {
  void judgeDocument(options, request)
    .then(
      (run): GuardedAnswer => ({ run }),
      (error: unknown): GuardedAnswer =>
        error instanceof InputError
          ? { refused: [error.file, error.what] }
          : { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) },
    )
    .then((answer) => parentPort?.postMessage(answer));
});

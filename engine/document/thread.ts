import { parentPort, workerData } from "node:worker_threads";
import { InputError } from "../../model/files.ts";
import type { GuardedAnswer, GuardedWork } from "./guarded.ts";
import { judgeDocument } from "./judge.ts";

/** Judges a document in a thread of its own, which `guarded.ts` starts and can end. */
const { options, request } = workerData as GuardedWork;
const answer: GuardedAnswer = await judgeDocument(options, request).then(
  (run) => ({ run }),
  (error: unknown) =>
    error instanceof InputError
      ? { refused: [error.file, error.what] as const }
      : { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) },
);
parentPort?.postMessage(answer);

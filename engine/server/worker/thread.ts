import { workerData } from "node:worker_threads";
import type { WorkerPreparation } from "./input.ts";
import { serve } from "./service.ts";

/** The start of the worker thread. */
await serve(workerData as WorkerPreparation);

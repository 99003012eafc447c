/** The file that vitest loads for the first run. Its tests are the scenarios. */
import { workerData } from "node:worker_threads";
import type { WorkerPreparation } from "./input.ts";

const { registerNextRun } = await import("./scenarios.ts");
await registerNextRun(workerData as WorkerPreparation);

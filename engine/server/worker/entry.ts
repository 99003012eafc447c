/** The file that vitest loads in a thread for a single run. Its tests are the scenarios. */
import { workerData } from "node:worker_threads";
import type { WorkerPreparation } from "./input.ts";

const { registerNextRun } = await import("./scenarios.ts");
await registerNextRun(workerData as WorkerPreparation);

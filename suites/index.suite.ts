import { registerNextRun } from "./registration.ts";

/** The entry module of the engine: vitest loads it in its worker thread. */
await registerNextRun();

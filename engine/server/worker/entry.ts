/** The entry file that vitest loads for the first run: its tests are the scenarios. */
const { registerNextRun } = await import("./scenarios.ts");
await registerNextRun();

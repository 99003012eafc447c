/** What vitest loads for its first run: the scenarios are its tests. */
const { registerNextRun } = await import("./registration.ts");
await registerNextRun();

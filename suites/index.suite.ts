import { contractDocument } from "./contract-document.ts";

/** The entry module of the engine: vitest loads it in its worker thread. The contract is bundled while the rest loads. */
contractDocument().catch(() => undefined);
const { registerNextRun } = await import("./registration.ts");
await registerNextRun();

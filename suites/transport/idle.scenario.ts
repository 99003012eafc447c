import { scenario } from "../kit/index.ts";

/**
 * Leaves a connection idle and uses it again. Some servers lose such a connection, or the next
 * request on it (INT-32).
 */
export const idleConnection = scenario({
  id: "transport/idle",
  uses: ["listBatches"],
  title: "a connection that was idle for as long as the run allows",
  checks: ["HTTP-04"],
  isFirst: true,
  run: async ({ listRequest, old, send, settings }) => {
    // A server that serves one connection at a time would serve no other connection while this one
    // is idle.
    if (settings.concurrency === 1) return;
    await send({ ...listRequest, isOnSpareConnection: true });
    await old({ at: Date.now() });
    await send({ ...listRequest, isOnSpareConnection: true });
  },
});

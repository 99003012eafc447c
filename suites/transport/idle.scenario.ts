import { scenario } from "../kit/index.ts";

/** Some servers lose a connection that was idle, or what it asks next (INT-32). */
export const idleConnection = scenario({
  id: "transport/idle",
  title: "a connection that was idle for as long as the run allows",
  checks: ["HTTP-04"],
  isFirst: true,
  run: async ({ listRequest, old, send, settings }) => {
    // A server that serves one connection at a time would serve no other one.
    if (settings.concurrency === 1) return;
    await send({ ...listRequest, isOnSpareConnection: true });
    await old({ at: Date.now() });
    await send({ ...listRequest, isOnSpareConnection: true });
  },
});

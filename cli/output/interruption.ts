import { exitCodes } from "./exit-code.ts";
import type { Io } from "./io.ts";

/** Aborts on the first SIGINT or SIGTERM; a second one ends the process at once. */
export function stopSignal(io: Io): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const release = io.onInterrupt(() => {
    if (controller.signal.aborted) return io.exit(exitCodes.interrupted);
    io.stderr("\nInterrupted: writing the reports. Press Ctrl-C again to end at once.\n");
    controller.abort();
  });
  return { signal: controller.signal, release };
}

/** Resolves on SIGINT or SIGTERM. */
export const untilInterrupted = (io: Io): Promise<void> =>
  new Promise((done) => {
    const release = io.onInterrupt(() => {
      release();
      done();
    });
  });

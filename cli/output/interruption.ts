import { exitCodes } from "./exit-code.ts";
import type { Io } from "./io.ts";

/** Aborts on the first SIGINT or SIGTERM; a second one ends the process at once. */
export function stopSignal(io: Io): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const release = io.onInterrupt(() => {
    if (controller.signal.aborted) return io.exit(exitCodes.interrupted);
    io.stderr("\nInterrupted: the reports are being written. Once more ends at once.\n");
    controller.abort();
  });
  return { signal: controller.signal, release };
}

/** Settles when somebody ends the process. */
export const untilInterrupted = (io: Io): Promise<void> =>
  new Promise((done) => {
    const release = io.onInterrupt(() => {
      release();
      done();
    });
  });

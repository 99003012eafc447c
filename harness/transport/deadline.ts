/** A bound on the time that something may take. */
export interface Deadline {
  /** Aborts when the time is over, or when all ends. */
  readonly signal: AbortSignal;
  readonly clear: () => void;
}

/** A timer that fires later than this was delayed by this thread, in milliseconds. */
const tolerance = 50;
/** Times over that the whole may be prolonged. */
const most = 3;

/**
 * A deadline that does not count delays of this thread: where it had no time for its sockets, a
 * response that lies there already is read first, and as much time is given again as was taken. `stop` ends it at once.
 */
export const deadlineIn = (ms: number, stop: AbortSignal): Deadline => {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (stop.aborted) abort();
  stop.addEventListener("abort", abort);
  const last = performance.now() + ms * (1 + most);
  let timer: NodeJS.Timeout | undefined;
  const arm = (wait: number): void => {
    const due = performance.now() + wait;
    timer = setTimeout(() => {
      const now = performance.now();
      const late = now - due;
      if (late > tolerance && now < last) arm(Math.min(late, ms));
      // Timers come before sockets in a turn of the event loop, immediates after them.
      else setImmediate(abort);
    }, wait);
  };
  arm(ms);
  const clear = (): void => {
    clearTimeout(timer);
    stop.removeEventListener("abort", abort);
  };
  return { signal: controller.signal, clear };
};

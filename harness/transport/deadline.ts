/** A bound on the time that something may take. */
export interface Deadline {
  /** Aborts when the time is over, or when `stop` aborts. */
  readonly signal: AbortSignal;
  readonly clear: () => void;
}

/** Milliseconds: a timer that fires later than this was delayed by a busy thread. */
const tolerance = 50;
/** The deadline is extended by at most this many times its length. */
const most = 3;

/**
 * A deadline that does not count delays of this thread. If the thread was too busy to read its sockets, the deadline is
 * extended by the delay, so that a response that has already arrived is read first. `stop` ends it at once.
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
      // In a turn of the event loop, timers run before sockets are read, and immediates after.
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

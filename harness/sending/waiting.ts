import { setMaxListeners } from "node:events";
import { Inconclusive } from "../errors.ts";

/**
 * How a run waits: for another part of it, or for time to pass. Every other wait in this thread is
 * that for a response, or ends within a few turns of the event loop. `begin` gets the functions that
 * end the wait, and returns the one that takes it back. The wait ends with the run, too: then it
 * throws Inconclusive, which says what it waited for.
 */
export function waitFor<T>(
  what: string,
  signal: AbortSignal,
  begin: (go: (value: T) => void, fail: (error: unknown) => void) => () => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const ended = (): void => {
      takeBack();
      reject(endedWhile(what));
    };
    const over = (): void => signal.removeEventListener("abort", ended);
    if (signal.aborted) return reject(endedWhile(what));
    // Any number of requests wait at a time.
    setMaxListeners(0, signal);
    signal.addEventListener("abort", ended, { once: true });
    const takeBack = begin(
      (value) => {
        over();
        resolve(value);
      },
      (error) => {
        over();
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}

export const endedWhile = (what: string): Inconclusive =>
  new Inconclusive(`the run was ended while it waited for ${what}`);

/** Waits for what another part of the run does. */
export const resultOf = <T>(what: string, signal: AbortSignal, doing: Promise<T>): Promise<T> =>
  waitFor<T>(what, signal, (go, fail) => {
    doing.then(go, fail);
    return () => undefined;
  });

/** Waits for `ms` milliseconds. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  waitFor<void>(`${(ms / 1000).toFixed(1)} s to pass`, signal, (go) => {
    const timer = setTimeout(go, ms);
    return () => clearTimeout(timer);
  });

/** Adds to a list of what waits, and returns the function that removes it again. */
export function queued<T>(list: T[], one: T, at = list.length): () => void {
  list.splice(at, 0, one);
  return () => {
    const place = list.indexOf(one);
    if (place >= 0) list.splice(place, 1);
  };
}

import { Inconclusive } from "../errors.ts";

/**
 * How a part of the run waits for another part: no other wait in this thread depends on what else
 * the run does. `begin` gets the functions that end the wait, and returns the one that takes it back.
 * The wait ends with the run, too: then it throws Inconclusive, which says what it waited for.
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

const endedWhile = (what: string): Inconclusive =>
  new Inconclusive(`the run was ended while it waited for ${what}`);

/** Adds to a list of what waits, and returns the function that removes it again. */
export function queued<T>(list: T[], one: T, at = list.length): () => void {
  list.splice(at, 0, one);
  return () => {
    const place = list.indexOf(one);
    if (place >= 0) list.splice(place, 1);
  };
}
